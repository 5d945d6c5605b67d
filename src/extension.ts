// The extension's root in VS Code. For now it starts and stops, and registers nothing.

export function activate(): void {}

export function deactivate(): void {}
