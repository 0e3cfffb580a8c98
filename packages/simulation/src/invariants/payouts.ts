import { assetOfBook } from '@quittance/billing/testing/internals'
import { endOf, Intent, Payment, PayoutBook, type PayoutSchedule, type RecordedEvent } from '@quittance/domain'
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

/** What the account could send of each asset after each of our operations, computed backwards from the end. */
const spendableAfter = async (settled: Settled): Promise<ReadonlyMap<string, bigint>> => {
  const { network, fixture } = settled
  const watched = new Set([fixture.account])
  const movements = (await ledgersOf(settled)).flatMap((ledger) => [...ledger.movementsOf(watched)])
  const assets = [...new Set(movements.map(({ assetId }) => assetId))]
  const view = await network.gateway.accountView(fixture.account, assets)()
  if (view._tag === 'Left' || view.right === null) throw new Error('the account cannot be read')
  const { nativeSpendable, trustlines } = view.right
  const held = new Map([['native', BigInt(nativeSpendable)]])
  for (const { assetId, balance } of trustlines) held.set(assetId, balance)
  const after = new Map<string, bigint>()
  for (const { assetId, delta, transactionHash, operationIndex } of movements.toReversed()) {
    const left = held.get(assetId) ?? 0n
    after.set(`${transactionHash}/${operationIndex}/${assetId}`, left)
    held.set(assetId, left - delta)
  }
  return after
}

export const payoutRules: ReadonlyArray<Invariant> = [
  {
    rule: 'every payout has ended, was paid once if it succeeded and otherwise not at all, and claims no more money',
    broken: async (settled) => {
      const { payouts, payoutClaims } = settled.services.readModels
      const owners = new Set(settledIntents(settled).map(({ details }) => `${details.owner}`))
      const lost = [...owners].filter((owner) => owner.startsWith('po_') && payouts.withId(owner) === null)
      const held = payoutClaims
        .all()
        .flatMap(({ row }) => row.claims.map(({ payoutId }) => `${payoutId} still claims money`))
      const unknown = lost.map((owner) => `${owner} was paid but does not exist`)
      return [...wronglyPaid(settled, payouts.all()), ...unknown, ...held]
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
    rule: 'a scheduled payout leaves its reserve, less refunds and returns paid meanwhile',
    broken: async (settled) => {
      const after = await spendableAfter(settled)
      const intents = settledIntents(settled)
      const { ledgerTransactions } = settled.services.readModels
      return scheduled(await eventsIn(settled)).flatMap(({ id, book, reserve }) => {
        const own = intents.find(({ details }) => `${details.owner}` === id)
        if (own === undefined) return []
        const assetId = assetOfBook(book)
        const { transactionHash, operationIndex, ledger } = own.place
        const preparedAfter = ledgerTransactions.all().find(({ row }) =>
          row.intents.some((each) => {
            const intent = settled.services.readModels.intents.withId(each)?.row
            const end = intent === undefined ? null : endOf(intent)
            return (
              intent?.details.owner === own.details.owner &&
              end?._tag === 'settled' &&
              end.transactionHash === transactionHash
            )
          }),
        )?.row.preparedAfter
        const beside = intents
          .filter(
            ({ place, details }) =>
              details.class !== 'payout' &&
              details.action.assetId === assetId &&
              place.ledger > (preparedAfter ?? 0) &&
              place.ledger <= ledger,
          )
          .reduce((sum, { details }) => sum + details.action.amount, 0n)
        const left = after.get(`${transactionHash}/${operationIndex}/${assetId}`) ?? 0n
        return left + beside >= reserve ? [] : [`${id} left ${left} of ${assetId}, less than its reserve ${reserve}`]
      })
    },
  },
  {
    rule: 'no refund lacks money that a payout took which joined its transaction after the refund was claimed',
    broken: async (settled) => {
      const { refunds, payouts } = settled.services.readModels
      const failed = new Map<string, string>()
      for (const { id, row } of refunds.all())
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
        if (intentId !== null && decodeIntent(event).type === 'IntentAttached') {
          const owner = settled.services.readModels.intents.withId(intentId)?.row.details.owner ?? ''
          attachedAt.set(owner, event.position)
        }
      }
      return [...failed].flatMap(([refundId, assetId]) =>
        payouts.all().flatMap(({ id, row }) => {
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
