import type { HistoryEntry } from '@quittance/billing'
import { page } from '../page.ts'
import { changesOf, drawing, toneOf } from './drawing.ts'
import { escaped } from './escaped.ts'
import { detailsOf, rootOf, spelled } from './text.ts'

const style = `
svg .name,svg .end{text-anchor:end}svg .name{fill:var(--dim)}svg rect{fill:currentColor;fill-opacity:.22;stroke:currentColor}svg circle{fill:currentColor}
.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}.plain{color:var(--plain)}
ol{list-style:none;margin:1.5rem 0;padding:0}li{border-left:2px solid var(--line);padding:0 0 1.1rem 1.1rem;position:relative;break-inside:avoid}
li::before{content:"";position:absolute;left:-6px;top:.5rem;width:10px;height:10px;border-radius:50%;background:var(--tone,var(--plain))}
li.good{--tone:var(--good)}li.warn{--tone:var(--warn)}li.bad{--tone:var(--bad)}li,li.good,li.warn,li.bad,li.plain{color:var(--ink)}
li h2{font-size:1rem;margin:0;font-weight:600}time,.of,.details{color:var(--dim);font-size:.85rem}.why{margin:.15rem 0}
.details{margin:.25rem 0 0;padding:0;list-style:none;overflow-wrap:anywhere}.details li{border:0;padding:0;color:inherit}.details li::before{display:none}
.money{font-variant-numeric:tabular-nums;white-space:nowrap}a{color:inherit}`

const item = (entry: HistoryEntry, numbers: ReadonlyMap<string, number>): string => {
  const cause = numbers.get(entry.cause.entry_id ?? '')
  const because = [
    entry.why === null ? null : escaped(entry.why),
    cause === undefined ? null : `follows from <a href="#e${cause}">entry ${cause}</a>`,
    rootOf(entry) === '' ? null : escaped(rootOf(entry)),
  ].filter((each) => each !== null)
  const money = [entry.price === null ? null : `${entry.price.amount} ${entry.price.currency}`, entry.amount].filter(
    (each) => each !== null,
  )
  const number = numbers.get(entry.id)
  return `<li id="e${number}" class="${toneOf(entry.status)}"><time datetime="${entry.occurred_at}">${number}. ${spelled(entry.occurred_at)} UTC</time>
<h2>${escaped(entry.what)}</h2>${because.length === 0 ? '' : `<p class="why">Why: ${because.join('; ')}</p>`}
<span class="of">${escaped(`${entry.resource.object.replaceAll('_', ' ')} ${entry.resource.id}`)}${entry.status === null ? '' : `, then ${escaped(entry.status.replaceAll('_', ' '))}`}${money.length === 0 ? '' : ` · <span class="money">${escaped(money.join(' = '))}</span>`}</span>
<ul class="details">${[...detailsOf(entry), `event ${entry.type} ${entry.id}, recorded ${spelled(entry.recorded_at)} UTC`].map((each) => `<li>${escaped(each)}</li>`).join('')}</ul></li>`
}

/** The statuses in words, since a band of the drawing may be too narrow for its name, and colours are not for everybody. */
const statusesOf = (entries: ReadonlyArray<HistoryEntry>, id: string): string => {
  const statuses = changesOf(entries, id).map(
    ({ status, occurred_at }) => `${status?.replaceAll('_', ' ')} from ${spelled(occurred_at)}`,
  )
  return statuses.length === 0 ? '' : `<p class="of">${escaped(`Status: ${statuses.join(', ')}.`)}</p>`
}

/** A history as one page. */
export const asPage = (entries: ReadonlyArray<HistoryEntry>, id: string): string => {
  const numbers = new Map(entries.map((each, place) => [each.id, place + 1]))
  const title = `What happened to ${id}`
  return page(
    title,
    style,
    `<header><h1>${escaped(title)}</h1><p>${entries.length} entries, oldest first. Times are UTC.</p></header>
<div class="picture">${drawing(entries, id)}</div>
${statusesOf(entries, id)}
<ol>${entries.map((each) => item(each, numbers)).join('\n')}</ol>
<footer>Each entry is an event of the log, named with its id.</footer>`,
  )
}
