// Tells the editor how to start `reverie mcp`, one server a workspace folder, for agents that use such servers. Nothing is
// started here, no port is opened, and an untrusted workspace is told of none. A host without that interface is left alone.

import { type Disposable, EventEmitter, lm, McpStdioServerDefinition, Uri, workspace } from 'vscode';

export const mcpProviderId = 'reverie.memory';

/** How one server is started. `execPath` is the editor's own runtime, which on a desktop runs scripts only when told to. */
export const mcpServer = (
  folder: { readonly name: string; readonly path: string },
  { cli, execPath }: { readonly cli: string; readonly execPath: string },
) => ({
  label: `Reverie: ${folder.name}`,
  command: execPath,
  args: [cli, 'mcp', '--project', folder.path],
  env: { ELECTRON_RUN_AS_NODE: '1' },
});

/** `cli` is the command line's file, `version` changes when its tools may have. */
export function registerMcpProvider(options: {
  readonly folders: () => readonly { readonly name: string; readonly path: string }[];
  readonly cli: string;
  readonly version: string;
}): Disposable[] {
  if (!lm?.registerMcpServerDefinitionProvider) return [];
  const changed = new EventEmitter<void>();
  const provider = lm.registerMcpServerDefinitionProvider(mcpProviderId, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions() {
      if (!workspace.isTrusted) return [];
      return options.folders().map((folder) => {
        const { label, command, args, env } = mcpServer(folder, { cli: options.cli, execPath: process.execPath });
        const definition = new McpStdioServerDefinition(label, command, args, env, options.version);
        definition.cwd = Uri.file(folder.path);
        return definition;
      });
    },
  });
  return [
    changed,
    provider,
    workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
  ];
}
