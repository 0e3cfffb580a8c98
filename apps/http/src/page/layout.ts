import { pageScript, pageStyle, preloads } from './assets.ts'
import { type Html, html, trustedHtml } from './html.ts'

const icon = trustedHtml(
  `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3451d1"/><path d="M9 16.5l5 5 9-11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  )}`,
)

/** A whole document, whose `script` is optional. */
export const documentOf = (title: string, body: Html, { hasScript }: { readonly hasScript: boolean }): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${pageStyle}">
${hasScript ? preloads.map((path) => html`<link rel="modulepreload" href="${path}">`) : null}
${hasScript ? html`<script type="module" src="${pageScript}"></script>` : null}
</head>
<body>
${body}
</body>
</html>
`.markup
