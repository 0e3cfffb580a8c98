import { escaped } from './explain/escaped.ts'

const colors = `
:root{color-scheme:light dark;--ink:#1d2530;--dim:#5b6675;--paper:#fff;--line:#d9dee5;--good:#1f7a4d;--warn:#a86a00;--bad:#b3312c;--plain:#5472a8}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--dim:#9aa6b5;--paper:#14181e;--line:#333c48;--good:#4fc18a;--warn:#e3a93c;--bad:#f07a73;--plain:#8aa9e6}}
body{margin:0 auto;max-width:60rem;padding:2rem 1.25rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.5rem;margin:0;overflow-wrap:anywhere}header p,footer{color:var(--dim);margin:.25rem 0 1.5rem}
.picture{overflow-x:auto;border:1px solid var(--line);border-radius:8px;padding:.5rem}svg{display:block;min-width:40rem;width:100%;font-size:12px;fill:var(--ink)}
svg line{stroke:var(--line)}`

const print = `
@media print{body{max-width:none;padding:0 0 0 8px;font-size:11pt;print-color-adjust:exact}:root{color-scheme:light;--ink:#000;--dim:#444;--paper:#fff;--line:#bbb;--good:#1f7a4d;--warn:#a86a00;--bad:#b3312c;--plain:#5472a8}.picture{overflow:visible;break-inside:avoid}svg{min-width:0}}`

/** One page that needs nothing else: no script, no font, no picture from elsewhere. `body` is HTML already. */
export const page = (title: string, style: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title><style>${colors}${style}${print}</style></head>
<body>${body}</body></html>`
