import type { HistoryEntry } from '@quittance/billing'
import { escaped } from './escaped.ts'
import { spelled } from './text.ts'

const [width, left, right, top, lane] = [960, 150, 20, 46, 30]

const tones: Readonly<Record<string, string>> = {
  active: 'good',
  trialing: 'good',
  confirmed: 'good',
  completed: 'good',
  succeeded: 'good',
  past_due: 'warn',
  pending: 'warn',
  open: 'warn',
  paused: 'warn',
  overdue: 'bad',
  canceled: 'bad',
  failed: 'bad',
  expired: 'bad',
}
export const toneOf = (status: string | null): string => tones[status ?? ''] ?? 'plain'

/** The entries by which the status of a resource became another one. */
export const changesOf = (entries: ReadonlyArray<HistoryEntry>, id: string): ReadonlyArray<HistoryEntry> => {
  const own = entries.filter(({ resource, status }) => resource.id === id && status !== null)
  return own.filter((each, place) => place === 0 || own[place - 1]?.status !== each.status)
}

/** A status that has only just begun is seen too. */
const thinnest = 3

const at = ({ occurred_at }: HistoryEntry): number => Date.parse(occurred_at)

/** The life of a resource: a band of its statuses, and below a lane for each kind of resource, with a mark for each entry. */
export const drawing = (entries: ReadonlyArray<HistoryEntry>, rootId: string): string => {
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) return ''
  const times = entries.map(at)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const x = (time: number): number => left + ((time - from) / Math.max(1, to - from)) * (width - left - right)
  const round = (place: number): string => place.toFixed(1)
  const lanes = [...new Set(entries.map(({ resource }) => resource.object))]
  const height = top + lanes.length * lane + 34
  const changes = changesOf(entries, rootId)
  const band = changes.map((each, place) => {
    const end = x(at(changes[place + 1] ?? last))
    const begin = Math.min(x(at(each)), width - right - thinnest)
    const size = Math.max(thinnest, end - begin)
    const name = each.status?.replaceAll('_', ' ') ?? ''
    const label = size > 60 ? `<text x="${round(begin + 6)}" y="29">${escaped(name)}</text>` : ''
    return `<g class="${toneOf(each.status)}"><rect x="${round(begin)}" y="14" width="${round(size)}" height="22" rx="3"><title>${escaped(`${name} from ${spelled(each.occurred_at)}`)}</title></rect>${label}</g>`
  })
  const rows = lanes.map((object, place) => {
    const y = top + place * lane + lane / 2
    const marks = entries
      .filter(({ resource }) => resource.object === object)
      .map(
        (each) =>
          `<circle class="${toneOf(each.status)}" cx="${round(x(at(each)))}" cy="${y}" r="5"><title>${escaped(`${spelled(each.occurred_at)} ${each.what}`)}</title></circle>`,
      )
    return `<text class="name" x="${left - 12}" y="${y + 4}">${escaped(object.replaceAll('_', ' '))}</text><line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}"/>${marks.join('')}`
  })
  const axis = `<text x="${left}" y="${height - 8}">${spelled(new Date(from).toISOString())}</text><text class="end" x="${width - right}" y="${height - 8}">${spelled(new Date(to).toISOString())}</text>`
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="The life of ${escaped(rootId)}, drawn over time"><text class="name" x="${left - 12}" y="29">status</text>${band.join('')}${rows.join('')}${axis}</svg>`
}
