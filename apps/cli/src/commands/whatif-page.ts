import type { WhatIfReport } from '@quittance/billing'
import { escaped } from '../explain/escaped.ts'
import { page } from '../page.ts'
import { drawing } from './whatif-drawing.ts'

const style = `
svg .name{text-anchor:end;fill:var(--dim)}svg .month{text-anchor:middle;fill:var(--dim)}svg .good{fill:var(--good)}svg .bad{fill:var(--bad)}
.recorded{fill:var(--line);stroke:var(--dim)}.changed{fill:var(--plain)}
figure{margin:1.5rem 0}figcaption{color:var(--dim);margin-bottom:.4rem}figcaption svg{display:inline;min-width:0;width:.8em;height:.8em;margin-left:.8em}
table{border-collapse:collapse;width:100%;margin:1.5rem 0}th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:right;font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left}th{color:var(--dim);font-weight:600;font-size:.85rem}p{margin:.3rem 0}`

const key = (name: string): string =>
  `<svg viewBox="0 0 10 10" aria-hidden="true"><rect class="${name}" x="1" y="1" width="8" height="8"/></svg>`

/** The report as one page: the revenue of each currency drawn by month, and all figures. */
export const whatifPage = (
  report: WhatIfReport,
  policyFile: string,
  says: ReadonlyArray<string>,
  [head = [], ...rows]: ReadonlyArray<ReadonlyArray<string>>,
): string => {
  const [begins, ends] = [report.from, report.to].map((at) => new Date(at).toISOString().slice(0, 16).replace('T', ' '))
  const cells = (row: ReadonlyArray<string>, tag: 'th' | 'td'): string =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  const currencies = [...new Set([...report.recorded.revenue.keys(), ...report.changed.revenue.keys()])].sort()
  const figures = currencies.map(
    (
      currency,
    ) => `<figure><figcaption>Revenue by month, ${escaped(currency)} ${key('recorded')} recorded ${key('changed')} what if</figcaption>
<div class="picture">${drawing(report, currency)}</div></figure>`,
  )
  const title = `What if: ${policyFile}`
  return page(
    title,
    style,
    `<header><h1>${escaped(title)}</h1><p>${begins} to ${ends}, UTC</p></header>
${says.map((each) => `<p>${escaped(each)}</p>`).join('\n')}
${figures.join('\n')}
<table>
<thead>${cells(head, 'th')}</thead>
<tbody>
${rows.map((row) => cells(row, 'td')).join('\n')}
</tbody>
</table>
<footer>Control: the replay by the recorded policies, with the same assumptions. How far it is from the record is the error of the method.</footer>`,
  )
}
