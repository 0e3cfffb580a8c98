import type { HistoryEntry } from '@quittance/billing'
import { printable } from '../printing.ts'
import { fieldsOf } from './fields.ts'
import { spelled } from './text.ts'

/** What is to be compared: a history up to a moment, or another one, and the resource as it was shown then. */
export type Side = {
  readonly name: string
  readonly id: string
  readonly entries: ReadonlyArray<HistoryEntry>
  readonly resource: object | null
}

export type Difference = { readonly of: string; readonly before: string; readonly after: string }

/** `entries`: what happened between both sides, where one history goes on. */
export type Differences = {
  readonly differences: ReadonlyArray<Difference>
  readonly entries: ReadonlyArray<HistoryEntry>
}

const units = (stroops: bigint): string => {
  const fraction = (stroops % 10_000_000n).toString().padStart(7, '0').replace(/0+$/, '')
  return fraction === '' ? `${stroops / 10_000_000n}` : `${stroops / 10_000_000n}.${fraction}`
}

const sums = (entries: ReadonlyArray<HistoryEntry>, type: string): string => {
  const byAsset = new Map<string, bigint>()
  for (const { type: its, asset_id, amount_stroops } of entries)
    if (its === type && asset_id !== null && amount_stroops !== null)
      byAsset.set(asset_id, (byAsset.get(asset_id) ?? 0n) + BigInt(amount_stroops))
  return [...byAsset].map(([asset, sum]) => `${units(sum)} ${asset.split(':')[0]}`).join(', ') || 'nothing'
}

const last = <A>(entries: ReadonlyArray<HistoryEntry>, value: (entry: HistoryEntry) => A | null): A | null =>
  entries.reduce<A | null>((known, each) => value(each) ?? known, null)

/** What a history amounts to, in words, by what each is about. `others`: the statuses of what belongs to it. */
const factsOf = ({ id, entries, resource: shown }: Side, others: boolean): ReadonlyMap<string, string> => {
  const own = entries.filter(({ resource }) => resource.id === id)
  const price = last(own, (each) => each.price)
  const rates = last(entries, ({ rates: found }) => (found.length === 0 ? null : found))
  const statuses = new Map(
    entries.flatMap(({ resource, status }) =>
      status === null || resource.id === id || !others ? [] : [[`${resource.object} ${resource.id}`, status] as const],
    ),
  )
  return new Map([
    ['status', last(own, ({ status }) => status) ?? 'none'],
    ['price', price === null ? 'none' : `${price.amount} ${price.currency}`],
    [
      'rates',
      rates
        ?.map(({ pair, rate, source, observed_at }) => `${pair} ${rate} (${source}, ${spelled(observed_at)})`)
        .join(', ') ?? 'none',
    ],
    ...(shown === null ? [] : fieldsOf(shown)),
    ['paid', sums(entries, 'PaymentConfirmed')],
    ['refunded', sums(entries, 'RefundSucceeded')],
    ['failed charges', String(entries.filter(({ type }) => type === 'ChargeFailed').length)],
    ['entries', String(entries.length)],
    ...statuses,
  ])
}

/** What differs between two sides; of one history at two moments, also what happened in between. */
export const differencesOf = (one: Side, other: Side): Differences => {
  const isSame = one.id === other.id
  const [before, after] = [factsOf(one, isSame), factsOf(other, isSame)]
  const names = new Set([...before.keys(), ...after.keys()])
  const known = new Set(one.entries.map(({ id }) => id))
  return {
    differences: [...names]
      .map((of) => ({ of, before: before.get(of) ?? 'none', after: after.get(of) ?? 'none' }))
      .filter((each) => each.before !== each.after),
    entries: isSame ? other.entries.filter(({ id }) => !known.has(id)) : [],
  }
}

/** The differences for people, and what led from one to the other. */
export const differing = (one: Side, other: Side, { differences, entries }: Differences): string =>
  [
    `${one.name} → ${other.name}`,
    ...(differences.length === 0 ? ['Nothing differs.'] : []),
    ...differences.map(({ of, before, after }) => `  ${of}: ${before} → ${after}`),
    ...(entries.length === 0 ? [] : ['What happened in between:']),
    ...entries.map(({ occurred_at, what }) => `  ${spelled(occurred_at)}  ${what}`),
  ]
    .map(printable)
    .join('\n')
