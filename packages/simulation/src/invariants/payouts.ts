import { assetOfBook } from '@quittance/billing/testing/internals'
import {
  Intent,
  Payment,
  PayoutBook,
  type PayoutSchedule,
  type RecordedEvent,
  type TransactionHash,
} from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import { type Invariant, ledgersOf, type Settled, settledIntents, wronglyPaid } from './invariant.ts'

const eventsIn = async ({ services }: Settled): Promise<ReadonlyArray<RecordedEvent>> => {
  const events: Array<RecordedEvent> = []
  for await (const event of services.store.readAll(0n)) events.push(event)
  return events
}

const decodeBook = decodedBy(PayoutBook)
const decodePayment = decodedBy(Payment)
const decodeIntent = decodedBy(Intent)

const inCategory = ({ stream }: RecordedEvent, category: string): string | null =>
  stream.startsWith(`${category}-`) ? stream.slice(category.length + 1) : null

/** Scheduled payouts: when each was due, and the reserve of its schedule at that time. */
const scheduled = (events: ReadonlyArray<RecordedEvent>) => {
  const schedules = new Map<string, PayoutSchedule | null>()
  const made: Array<{ readonly id: string; readonly book: string; readonly dueAt: number; readonly reserve: bigint }> =
    []
  for (const event of events) {
    const book = inCategory(event, PayoutBook.category)
    if (book === null) continue
    const { type, data } = decodeBook(event)
    if (type === 'PayoutScheduleSet') schedules.set(book, data.schedule)
    if (type === 'PayoutScheduleRemoved') schedules.set(book, null)
    if (type !== 'PayoutClaimed' || data.details.dueAt === undefined) continue
    made.push({ id: data.payoutId, book, dueAt: data.details.dueAt, reserve: schedules.get(book)?.reserve ?? 0n })
  }
  return made
}

/** All movements of the account, in order, and what it could send of their asset after each: computed backwards from the end. */
const movementsOf = async (settled: Settled) => {
  const { network, fixture } = settled
  const watched = new Set([fixture.account])
  const movements = (await ledgersOf(settled)).flatMap((ledger) => [...ledger.movementsOf(watched)])
  const assets = [...new Set(movements.map(({ assetId }) => assetId))]
  const view = await network.gateway.accountView(fixture.account, assets)()
  if (view._tag === 'Left' || view.right === null) throw new Error('the account cannot be read')
  const { nativeSpendable, trustlines } = view.right
  const held = new Map([['native', BigInt(nativeSpendable)]])
  for (const { assetId, balance } of trustlines) held.set(assetId, balance)
  const backwards = movements.toReversed().map((movement) => {
    const left = held.get(movement.assetId) ?? 0n
    held.set(movement.assetId, left - movement.delta)
    return { ...movement, left }
  })
  return backwards.toReversed()
}

/** A place on the ledger. */
const placeName = (place: {
  readonly transactionHash: TransactionHash
  readonly operationIndex: number | null
}): string => `${place.transactionHash}/${place.operationIndex}`

export const payoutRules: ReadonlyArray<Invariant> = [
  {
    rule: 'every payout has ended, was paid once if it succeeded and otherwise not at all, and claims no more money',
    broken: async (settled) => {
      const { payouts, payoutClaims } = settled.services.readModels
      const owners = new Set((await settledIntents(settled)).map(({ details }) => `${details.owner}`))
      const all = await payouts.all()
      const known = new Set<string>(all.map(({ id }) => id))
      const lost = [...owners].filter((owner) => owner.startsWith('po_') && !known.has(owner))
      const held = (await payoutClaims.all()).flatMap(({ row }) =>
        row.claims.map(({ payoutId }) => `${payoutId} still claims money`),
      )
      const unknown = lost.map((owner) => `${owner} was paid but does not exist`)
      return [...(await wronglyPaid(settled, all)), ...unknown, ...held]
    },
  },
  {
    rule: 'a schedule makes one payout for each time at which it is due',
    broken: async (settled) => {
      const moments = scheduled(await eventsIn(settled)).map(({ book, dueAt }) => `${book} at ${dueAt}`)
      return [...new Set(moments.filter((each, index) => moments.indexOf(each) !== index))]
    },
  },
  {
    // Whoever withdraws by hand may take the reserve, and transactions of one ledger are applied in any order.
    rule: 'a scheduled payout leaves its reserve, less refunds and returns paid meanwhile, and payouts that joined a transaction after it',
    broken: async (settled) => {
      const movements = await movementsOf(settled)
      const attached = [...settled.course.attachedTo]
      const intents = await settledIntents(settled)
      const classAt = new Map(intents.map(({ place, details }) => [placeName(place), details.class]))
      const { ledgerTransactions } = settled.services.readModels
      const preparedAfter = new Map((await ledgerTransactions.all()).map(({ id, row }) => [id, row.preparedAfter]))
      return scheduled(await eventsIn(settled)).flatMap(({ id, book, reserve }) => {
        const own = intents.find(({ details }) => `${details.owner}` === id)
        if (own === undefined) return []
        const assetId = assetOfBook(book)
        const { transactionHash } = own.place
        const at = movements.findIndex((each) => each.assetId === assetId && placeName(each) === placeName(own.place))
        const after = preparedAfter.get(transactionHash) ?? 0
        const joinedAt = attached.indexOf(transactionHash)
        const isLater = (hash: TransactionHash) => joinedAt >= 0 && attached.indexOf(hash) > joinedAt
        const beside = movements
          .slice(0, at)
          .filter((each) => each.assetId === assetId && each.delta < 0n && each.ledger > after)
          .filter((each) => {
            const paidAs = classAt.get(placeName(each)) ?? 'payout'
            return paidAs !== 'payout' || isLater(each.transactionHash)
          })
          .reduce((sum, { delta }) => sum - delta, 0n)
        const left = movements[at]?.left ?? 0n
        return left + beside >= reserve ? [] : [`${id} left ${left} of ${assetId}, less than its reserve ${reserve}`]
      })
    },
  },
  {
    rule: 'no refund lacks money that a payout took which joined its transaction after the refund was claimed',
    broken: async (settled) => {
      const { refunds, payouts } = settled.services.readModels
      const failed = new Map<string, string>()
      for (const { id, row } of await refunds.all())
        if (row.status === 'failed' && row.reason === 'insufficient_funds') failed.set(id, row.details.assetId)
      if (failed.size === 0) return []
      const claimedAt = new Map<string, bigint>()
      const attachedAt = new Map<string, bigint>()
      const failedAt = new Map<string, bigint>()
      for (const event of await eventsIn(settled)) {
        if (inCategory(event, Payment.category) !== null) {
          const { type, data } = decodePayment(event)
          if (type === 'RefundClaimed') claimedAt.set(data.refundId, event.position)
          if (type === 'RefundReleased') failedAt.set(data.refundId, event.position)
        }
        const intentId = inCategory(event, Intent.category)
        if (intentId !== null) {
          const { type } = decodeIntent(event)
          const owner = (await settled.services.readModels.intents.withId(intentId))?.row.details.owner ?? ''
          if (type === 'IntentAttached') attachedAt.set(owner, event.position)
          // A recovery attaches and settles at once what had been sent before the log went back.
          if (type === 'IntentSettled' && attachedAt.get(owner) === event.position - 1n) attachedAt.delete(owner)
        }
      }
      const all = await payouts.all()
      return [...failed].flatMap(([refundId, assetId]) =>
        all.flatMap(({ id, row }) => {
          const at = attachedAt.get(id) ?? 0n
          const isAfter = at > (claimedAt.get(refundId) ?? 0n) && at < (failedAt.get(refundId) ?? 0n)
          return row.status === 'succeeded' && row.details.assetId === assetId && isAfter
            ? [`${refundId} failed although ${id} was paid`]
            : []
        }),
      )
    },
  },
]
