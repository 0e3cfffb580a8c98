import type { HistoryEntry } from '@quittance/billing'
import { printable } from '../printing.ts'

/** `2026-11-28 20:45:07` in UTC. */
export const spelled = (time: string): string => time.slice(0, 19).replace('T', ' ')

const roots = {
  event: '',
  request: 'asked for',
  ledger: 'by the ledger',
  clock: 'its time had come',
  service: 'by the service',
} as const

/** Who or what an entry goes back to, where no other entry has caused it. */
export const rootOf = ({ cause, actor, actor_type }: HistoryEntry): string => {
  if (cause.type === 'event') return ''
  return cause.type === 'request'
    ? `${roots.request} by ${actor_type === 'api_key' ? `key ${actor}` : actor}`
    : roots[cause.type]
}

/** Everything that is checked elsewhere: rates, hash, ledger, webhooks. */
export const detailsOf = (entry: HistoryEntry): ReadonlyArray<string> => [
  ...entry.rates.map(
    ({ pair, rate, source, observed_at }) => `rate ${pair} ${rate}, by ${source} at ${spelled(observed_at)}`,
  ),
  ...(entry.transaction_hash === null
    ? []
    : [`transaction ${entry.transaction_hash}${entry.ledger === null ? '' : ` in ledger ${entry.ledger}`}`]),
  ...entry.deliveries.map(
    ({ event_type, webhook_id, status }) => `webhook ${webhook_id} told of ${event_type}: ${status}`,
  ),
]

const linesOf = (entry: HistoryEntry): ReadonlyArray<string> => {
  const root = rootOf(entry)
  const why = [entry.why, root === '' ? null : root].filter((each) => each !== null)
  return [
    `${spelled(entry.occurred_at)}  ${entry.what}`,
    ...(why.length === 0 ? [] : [`                     why: ${why.join('; ')}`]),
    ...detailsOf(entry).map((detail) => `                     ${detail}`),
    `                     ${entry.resource.object} ${entry.resource.id}${entry.status === null ? '' : `, then ${entry.status}`}`,
  ]
}

/** A history for people, in UTC. */
export const explained = (entries: ReadonlyArray<HistoryEntry>): string =>
  entries.flatMap(linesOf).map(printable).join('\n')

/** What led to the last of these entries, one a line, the root first. */
export const chained = (chain: ReadonlyArray<HistoryEntry>): string =>
  chain
    .map((entry, depth) => {
      const root = depth === 0 ? rootOf(entry) : ''
      const why = [entry.why, root === '' ? null : root].filter((each) => each !== null).join('; ')
      return printable(
        `${'  '.repeat(depth)}${depth === 0 ? '' : '→ '}${spelled(entry.occurred_at)}  ${entry.what}${why === '' ? '' : ` (${why})`}`,
      )
    })
    .join('\n')
