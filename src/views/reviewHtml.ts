// The frame that the review's page runs in: it loads two style sheets and one script of ours, and nothing else may be loaded, run
// or asked for. It holds no text of anybody.

export function reviewHtml(options: {
  /** Addresses as the page may ask for them; style sheets in their order. */
  readonly script: string;
  readonly styles: readonly string[];
  /** Where style sheets may come from. */
  readonly source: string;
  /** Fresh for each page. */
  readonly nonce: string;
  readonly language: string;
  readonly title: string;
}): string {
  const { script, styles, source, nonce, language, title } = options;
  const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="${quoted(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${quoted(policy)}">
${styles.map((style) => `<link rel="stylesheet" href="${quoted(style)}">`).join('\n')}
<title>${quoted(title)}</title>
</head>
<body>
<script nonce="${quoted(nonce)}" src="${quoted(script)}"></script>
</body>
</html>`;
}

const quoted = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);
