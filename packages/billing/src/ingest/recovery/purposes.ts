import {
  asText,
  Exception,
  ExceptionId,
  type ExceptionState,
  IntentId,
  isHeldForOperator,
  lastDue,
  noMetadata,
  operatorActor,
  Payment,
  PaymentId,
  PayoutBook,
  PayoutId,
  type PayoutTarget,
  RefundId,
  ReturnId,
  stroops,
} from '@quittance/domain'
import type {
  ExceptionRow,
  Found,
  IntentRow,
  LedgerTransactionRow,
  PaymentRow,
  PayoutBookRow,
  Scope,
} from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { carriersIn } from '../../features/outgoing/carriers.ts'
import { intentIdOf } from '../../features/outgoing/record-intent.ts'
import { knownSender } from '../../features/payments/misfit-rules.ts'
import { feeTarget } from '../../features/payouts/collect-fees.ts'
import { requestClaimed } from '../../features/payouts/resume.ts'
import { resumePaidRefund } from '../../features/refunds/resume.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import { resetsOf } from '../../kernel/epoch.ts'
import { assetOfBook, bookId } from '../../kernel/payout-book.ts'
import { stepUnless } from '../../kernel/step.ts'
import { processActor, stepContext } from '../../kernel/step-context.ts'
import { everyRow } from '../../services/every-row.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { refundReference } from '../../services/reference.ts'
import {
  causeOf,
  type DecidedOtherwise,
  decidedOtherwise,
  type Forgotten,
  fulfilled,
  type Purpose,
  type RecoveryServices,
} from './purpose.ts'

/** Everything that a forgotten payment may have been for, by its asset, its amount and its destination or memo. */
export async function* purposesOf(services: RecoveryServices, forgotten: Forgotten): AsyncGenerator<Purpose> {
  const { scope } = forgotten
  const { intents, payments, exceptions, payoutSchedules } = services.readModels
  for (const status of ['attached', 'waiting'])
    for await (const found of everyRow((page) => intents.page({ ...page, status }), scope))
      if (isWanted(forgotten, found) && (await isFreeFor(services, forgotten, found))) yield ofIntent(found)
  for await (const found of everyRow((page) => payments.page({ ...page, status: 'confirmed' }), scope))
    yield* ofPayment(services, forgotten, found)
  for await (const found of everyRow((page) => exceptions.page({ ...page, status: 'open' }), scope))
    yield* ofException(services, forgotten, found)
  yield* ofCollection(services, forgotten)
  const book = await payoutSchedules.withId(bookId(scope, forgotten.payment.assetId))
  if (book === null) return
  yield* ofClaims(services, forgotten, book)
  yield* ofSchedule(services, forgotten, book)
}

const isWanted = ({ payment }: Forgotten, { row: { details } }: Found<IntentRow>): boolean => {
  const { action, source } = details
  return (
    action._tag === 'payment' &&
    source === payment.from &&
    action.assetId === payment.assetId &&
    action.amount === payment.amount &&
    action.destination === payment.destination &&
    (action.destinationMuxedId ?? null) === payment.muxedId
  )
}

/**
 * Whether an intent can have been carried by the forgotten transaction, although the log knows another one to carry it: that
 * was given up before the forgotten one was made, as a memo that names the intent proves, or has the sequence number that
 * the forgotten one has used.
 */
const isFreeFor = async (
  services: RecoveryServices,
  { scope, own }: Forgotten,
  intent: Found<IntentRow>,
): Promise<boolean> => {
  const carrier = await carrierOf(services, scope, intent)
  if (carrier === null) return true
  if (carrier.status === 'succeeded' || carrier.status === 'closed') return false
  const isNamed = own.memo._tag === 'text' && own.memo.value === intent.row.details.memo
  const { sourceAccount, accountSequence, maxTime } = carrier
  const isReplaced = sourceAccount === own.sourceAccount && accountSequence === own.accountSequence
  return isNamed || isReplaced || maxTime < own.outcome.closedAt
}

/** The transaction that carries an intent, or that was prepared for it. */
const carrierOf = async (
  { readModels }: RecoveryServices,
  { environment }: Scope,
  intent: Found<IntentRow>,
): Promise<LedgerTransactionRow | null> => {
  const { attachedTo } = intent.row
  if (attachedTo !== null) return (await readModels.ledgerTransactions.withId(attachedTo))?.row ?? null
  const isAlive = (status: LedgerTransactionRow['status']) => status !== 'withdrawn' && status !== 'dead'
  return (await carriersIn(readModels, environment, isAlive))(intent)[0]?.row ?? null
}

/** An intent of the log that other bytes have carried than those that it knows. */
const ofIntent = ({ id, row: { details } }: Found<IntentRow>): Purpose => {
  const memo = details.memo ?? details.memoId
  return {
    kind: details.class === 'refund' || details.class === 'return' ? details.class : 'payout',
    isPending: true,
    subject: id,
    intentId: decodeOrThrow(IntentId, id),
    memos: memo === undefined ? [] : [memo],
    claim: async () => E.right(null),
  }
}

async function* ofPayment(
  services: RecoveryServices,
  forgotten: Forgotten,
  { id, row }: Found<PaymentRow>,
): AsyncGenerator<Purpose> {
  const { scope, own, payment } = forgotten
  const { assetId, amount, destination } = payment
  if (row.status !== 'confirmed' || row.isReturned) return
  if (row.details.assetId !== assetId) return
  const paymentId = decodeOrThrow(PaymentId, id)
  const at = own.outcome.closedAt
  const live = row.refunds.findLast(({ status }) => status !== 'released')
  const refundId = live?.refundId ?? createdId(RefundId, at, causeOf(forgotten, `refund ${id}`))
  // The intent of a live refund is found by itself.
  if (live !== undefined && (await services.readModels.intents.withKey(refundId)).length > 0) return
  const reference = await refundReference(services, scope.environment, paymentId)
  const memo = own.memo._tag === 'text' ? own.memo.value : null
  // A memo that names the payment proves a refund of less: of what its sender brought.
  const whole = row.confirmation.amount
  const isLess = live === undefined && memo === reference && amount < whole
  if (amount !== (live?.amount ?? whole) && !isLess) return
  const refundedTo = live?.destination ?? row.confirmation.payer
  if (refundedTo !== destination && memo !== reference && memo !== refundId) return
  yield {
    kind: 'refund',
    isPending: live !== undefined,
    subject: id,
    intentId: intentIdOf(scope, refundId),
    memos: [reference, refundId],
    claim: async () => {
      const part = isLess ? { amount } : {}
      const wanted = { refundId, destination, reason: null, metadata: noMetadata, claimedAt: at, ...part }
      const decide = Payment.decider.decide({ type: 'ClaimRefund', ...(live ?? wanted) })
      const context = stepContext(scope, causeOf(forgotten, `refund ${id}`), 'claim', at)
      const expected = ['RefundExists', 'RefundWasReleased', 'PaymentSetAside'] as const
      const claimed = await stepUnless(services.store)(expected, Payment, paymentId, context, decide)
      if (E.isLeft(claimed)) return claimed
      if (claimed.right === null) return decidedOtherwise
      const resumed = await resumePaidRefund(services, scope, { paymentId, ...claimed.right }, refundId)
      if (E.isLeft(resumed)) return resumed
      return E.right(fulfilled(forgotten, { class: 'refund', owner: asText(refundId), memo: reference }))
    },
  }
}

async function* ofException(
  services: RecoveryServices,
  forgotten: Forgotten,
  { id, row }: Found<ExceptionRow>,
): AsyncGenerator<Purpose> {
  const { scope, own, payment } = forgotten
  const { details, moneyReturn } = row
  if (row.status !== 'open' && row.status !== 'returning') return
  if (details.kind === 'unexplained' || details.assetId !== payment.assetId || details.amount !== payment.amount) return
  const memo = own.memo._tag === 'text' ? own.memo.value : null
  const begun = row.status === 'returning' ? moneyReturn : null
  const returnedTo = (begun ?? knownSender(details))?.destination
  if (returnedTo !== payment.destination && memo !== id) return
  const at = own.outcome.closedAt
  const returnId = begun?.returnId ?? createdId(ReturnId, at, causeOf(forgotten, `return ${id}`))
  if (begun !== null && (await services.readModels.intents.withKey(returnId)).length > 0) return
  yield {
    kind: 'return',
    isPending: begun !== null,
    subject: id,
    intentId: intentIdOf(scope, returnId),
    memos: [id],
    claim: async () => {
      const exceptionId = decodeOrThrow(ExceptionId, id)
      const { destination } = payment
      const details = { returnId, destination, destinationMuxedId: null, startedAt: at }
      // What the ledger holds was decided before the log was restored: by the operator, if a screening had held it.
      const actor = isHeldForOperator(row) ? operatorActor : asText(processActor)
      const started = { ...details, actor, note: null }
      const decide = (state: ExceptionState) =>
        Exception.decider.decide({ type: 'StartReturn', ...(begun ?? started) })(state)
      const context = stepContext(scope, causeOf(forgotten, `return ${id}`), 'start', at)
      const expected = ['ReturnUnderWay', 'ReturnNotStarted', 'ApplicationUnderWay', 'ExceptionIsResolved'] as const
      const recorded = await stepUnless(services.store)(expected, Exception, exceptionId, context, decide)
      if (E.isLeft(recorded)) return recorded
      if (recorded.right === null) return decidedOtherwise
      return E.right(fulfilled(forgotten, { class: 'return', owner: asText(returnId), memo: asText(id) }))
    },
  }
}

/** A payout that the log has claimed, and has no intent of. */
async function* ofClaims(
  services: RecoveryServices,
  forgotten: Forgotten,
  book: Found<PayoutBookRow>,
): AsyncGenerator<Purpose> {
  const { scope, payment } = forgotten
  for (const claimed of book.row.claims) {
    const { payoutId, details, source = payment.from } = claimed
    if ((await services.readModels.intents.withKey(payoutId)).length > 0) continue
    if (details.amount !== payment.amount || source !== payment.from || !isPaidTo(details.target, forgotten)) continue
    const requested = async () => requestClaimed(services, scope, claimed)
    yield { ...ofPayout(forgotten, payoutId, details.target, requested), isPending: true }
  }
}

/** What the schedule of the asset would have paid out when it was last due. Its id derives from the moment. */
async function* ofSchedule(
  services: RecoveryServices,
  forgotten: Forgotten,
  book: Found<PayoutBookRow>,
): AsyncGenerator<Purpose> {
  const { scope, own, payment } = forgotten
  const { schedule, ranThrough, claims } = book.row
  const destination =
    schedule === null ? null : await services.readModels.payoutDestinations.withId(schedule.destinationId)
  if (schedule === null || destination === null) return
  const dueAt = lastDue(schedule, own.outcome.closedAt)
  const { address, memo, muxedId } = destination.row.details
  const { destinationId, reserve } = schedule
  const target: PayoutTarget = { destinationId, address, memo, ...(muxedId === undefined ? {} : { muxedId }) }
  if (dueAt <= ranThrough || !isPaidTo(target, forgotten)) return
  const assetId = assetOfBook(book.id)
  const cause = `${book.id} ${dueAt}`
  const payoutId = createdId(PayoutId, dueAt, derivedCommandId(cause, 'payout'))
  yield ofPayout(forgotten, payoutId, target, async () => {
    const claimed = claims.reduce((sum, { details }) => sum + details.amount, 0n)
    const spendable = stroops(payment.amount + reserve + claimed)
    const epoch = await resetsOf(services.readModels, scope.environment)
    const observed = { spendable, observedAt: own.outcome.ledger, epoch, source: payment.from }
    const command = { type: 'RunPayoutSchedule' as const, payoutId, dueAt, assetId, target, ...observed }
    const context = stepContext(scope, cause, 'run schedule', dueAt)
    const decide = PayoutBook.decider.decide(command)
    const ran = await stepUnless(services.store)(['BalanceOutdated'], PayoutBook, book.id, context, decide)
    if (E.isLeft(ran)) return ran
    const claim = ran.right?.state.claims.find((each) => each.payoutId === payoutId)
    return claim === undefined ? decidedOtherwise : requestClaimed(services, scope, claim)
  })
}

/**
 * A collection of the operator's fees that the log has lost, known by its memo: its id. The fee account may have been another
 * one than today's, but where the merchant's own payouts go is none.
 */
async function* ofCollection(services: RecoveryServices, forgotten: Forgotten): AsyncGenerator<Purpose> {
  const { scope, own, payment } = forgotten
  const { memo, outcome } = own
  if (memo._tag !== 'text' || !PayoutId.is(memo.value)) return
  const payoutId = memo.value
  const target = feeTarget(payment.destination, payoutId)
  if (!isPaidTo(target, forgotten) || (await services.readModels.payouts.withId(payoutId)) !== null) return
  const registered = await services.readModels.payoutDestinations.withKey(payment.destination)
  const isOwn = registered.some((each) => each.merchantId === scope.merchantId)
  if (isOwn && payment.destination !== services.networks[scope.environment]?.feeAccount) return
  const { assetId, amount, from: source } = payment
  const details = { assetId, amount, target, keep: stroops(0n), metadata: noMetadata, purpose: 'platform_fee' as const }
  const claim = { payoutId, details, claimedAt: outcome.closedAt, source }
  yield ofPayout(forgotten, payoutId, target, async () => {
    const context = stepContext(scope, causeOf(forgotten, 'collection'), 'claim', outcome.closedAt)
    const decide = PayoutBook.decider.decide({ type: 'RecoverCollection', claim })
    const claimed = await stepUnless(services.store)([], PayoutBook, bookId(scope, assetId), context, decide)
    return E.isLeft(claimed) ? claimed : requestClaimed(services, scope, claim)
  })
}

const isPaidTo = ({ address, muxedId }: PayoutTarget, { payment }: Forgotten): boolean =>
  address === payment.destination && (muxedId ?? null) === payment.muxedId

const ofPayout = (
  forgotten: Forgotten,
  payoutId: PayoutId,
  { memo }: PayoutTarget,
  claim: () => Promise<E.Either<ProcessFailure | DecidedOtherwise, void>>,
): Purpose => ({
  kind: 'payout',
  isPending: false,
  subject: payoutId,
  intentId: intentIdOf(forgotten.scope, payoutId),
  memos: memo === null ? [] : [memo.value],
  claim: async () => {
    const claimed = await claim()
    if (E.isLeft(claimed)) return claimed
    const memos = {
      memo: memo?.type === 'text' ? memo.value : null,
      ...(memo?.type === 'id' ? { memoId: memo.value } : {}),
    }
    return E.right(fulfilled(forgotten, { class: 'payout', owner: asText(payoutId), ...memos }))
  },
})
