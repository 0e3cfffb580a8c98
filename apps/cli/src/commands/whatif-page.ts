import type { WhatIfReport } from '@quittance/billing'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `:root { color-scheme: light dark; --ink: #1c1f24; --paper: #fff; --line: #d5d9df; --soft: #5b6470 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --paper: #16181c; --line: #3a3f47; --soft: #a2a9b3 } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin-top: 1.5rem }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: right; font-variant-numeric: tabular-nums }
th:first-child, td:first-child { text-align: left }
th { color: var(--soft); font-weight: 600; font-size: .85rem }
p { margin: .3rem 0 }`

/** The report as one page that needs nothing else. */
export const whatifPage = (
  { from, to }: WhatIfReport,
  policyFile: string,
  says: ReadonlyArray<string>,
  [head = [], ...rows]: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const [begins, ends] = [from, to].map((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' '))
  const cells = (row: ReadonlyArray<string>, tag: 'th' | 'td'): string =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>What if</title>
<style>${style}</style>
<h1>What if: ${escaped(policyFile)}</h1>
<p>${begins} to ${ends}, UTC</p>
${says.map((each) => `<p>${escaped(each)}</p>`).join('\n')}
<table>
<thead>${cells(head, 'th')}</thead>
<tbody>
${rows.map((row) => cells(row, 'td')).join('\n')}
</tbody>
</table>
</html>`
}
