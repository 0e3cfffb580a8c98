import type { IncomingPayment } from './incoming-payment.ts'
import { maximumStroops, stroops } from './stroops.ts'
import { positiveCount } from './units.ts'

/** So many payments of a ledger are recorded singly, to a session or to an account. If there are more, senders are. */
export const mostRecordedSingly = 8

/** Those that came in the same way from the same sender may share an entry. */
const senderOf = ({ from, origin, mandateId }: IncomingPayment): string =>
  [from, origin?.kind, origin?.fromMuxedId, origin?.fromContract, mandateId].join(' ')

/**
 * Divides payments of one ledger, which have the same recipient, into few groups, each of which is recorded as one: each
 * payment alone where they are few; else one group for each of the `most` senders with the largest sums of an asset, and
 * one for all others. Those with a `key` have a group of their own by it. The result depends on nothing else, so that a
 * ledger that is ingested again has the same groups.
 */
export const groupsOf = (
  payments: ReadonlyArray<IncomingPayment>,
  most: number = mostRecordedSingly,
  key: (payment: IncomingPayment) => string = () => '',
): ReadonlyArray<ReadonlyArray<IncomingPayment>> => {
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n)
  // More than any account can hold: it came and went within the ledger.
  if (payments.length <= mostRecordedSingly || total > maximumStroops) return payments.map((incoming) => [incoming])
  const place = new Map(payments.map((payment, index) => [payment, index]))
  const placeOf = (of: ReadonlyArray<IncomingPayment>): number => (of[0] === undefined ? 0 : (place.get(of[0]) ?? 0))
  const byAsset = Map.groupBy(payments, ({ assetId }) => assetId)
  return [...byAsset.values()]
    .flatMap((ofAsset) => {
      const { '': plain = [], ...keyed } = Object.groupBy(ofAsset, key)
      const bySender = [...Map.groupBy(plain, senderOf).values()]
      const largestFirst = bySender.toSorted((one, other) => compare(amountOf(other), amountOf(one)))
      const others = largestFirst.slice(most).flat()
      const inOrder = others.toSorted((one, other) => (place.get(one) ?? 0) - (place.get(other) ?? 0))
      return [...Object.values(keyed), ...largestFirst.slice(0, most), inOrder].flatMap((group) =>
        group === undefined || group.length === 0 ? [] : [group],
      )
    })
    .toSorted((one, other) => placeOf(one) - placeOf(other))
}

const amountOf = (payments: ReadonlyArray<IncomingPayment>): bigint =>
  payments.reduce((sum, { amount }) => sum + amount, 0n)

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)

/** The one entry that stands for the payments of a group: none for none, a payment alone for itself. */
export const entryOf = (group: ReadonlyArray<IncomingPayment>): ReadonlyArray<IncomingPayment> => {
  const [first] = group
  if (first === undefined || group.length === 1) return group
  const isOne = group.every((each) => senderOf(each) === senderOf(first))
  const { origin: _, mandateId: __, ...bare } = first
  const largest = group.reduce((most, { amount }) => (amount > most ? amount : most), stroops(0n))
  const sum = { count: positiveCount(group.length), largest, senders: isOne ? ('one' as const) : ('several' as const) }
  return [{ ...(isOne ? first : bare), amount: stroops(amountOf(group)), sum }]
}
