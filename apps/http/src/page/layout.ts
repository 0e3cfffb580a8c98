import { pageScript, pageStyle, preloadsOf } from './assets.ts'
import { type Html, html, trustedHtml } from './html.ts'
import { type Reader, translations } from './reader.ts'

const icon = trustedHtml(
  `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3451d1"/><path d="M9 16.5l5 5 9-11" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  )}`,
)

/** The same page in the other languages. */
const languageLinks = (reader: Reader): Html | null => {
  const others = translations(reader).filter(({ language }) => language !== reader.language)
  return others.length === 0
    ? null
    : html`<nav class="languages quiet" aria-label="${reader.words.language}">${others.map(({ language, href, name }) => html`<a href="${href}" lang="${language}" hreflang="${language}" data-testid="lang-${language}">${name}</a>`)}</nav>`
}

/** A whole document, whose `script` is optional. */
export const documentOf = (
  reader: Reader,
  title: string,
  body: Html,
  { hasScript }: { readonly hasScript: boolean },
): string =>
  html`<!doctype html>
<html lang="${reader.language}" dir="${reader.words.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${pageStyle}">
${hasScript ? preloadsOf(reader.language).map((path) => html`<link rel="modulepreload" href="${path}">`) : null}
${hasScript ? html`<script type="module" src="${pageScript}"></script>` : null}
</head>
<body>
${body}
${languageLinks(reader)}
</body>
</html>
`.markup
