import {
  type CheckoutState,
  type Environment,
  IncomingPayment,
  IncomingPaymentOrigin,
  PaymentId,
  ReceivedMemo,
  type UnixMs,
} from '@quittance/domain'
import type { IncomingPayment as LedgerIncomingPayment } from '@quittance/ledger'
import type { CheckoutRow, Found, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { followUp } from '../features/checkouts/follow-up.ts'
import { isRateMissing, judgeWithQuote } from '../features/checkouts/judge-with-quote.ts'
import { receiveFunding } from '../features/funding/receive-funding.ts'
import { endInvoice } from '../features/invoices/invoice-end.ts'
import { isDust } from '../features/payments/misfit-rules.ts'
import { type Misfit, openException } from '../features/payments/open-exception.ts'
import { existingCheckout } from '../features/payments/session.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { createdId } from '../kernel/derive.ts'
import type { Executed } from '../kernel/execute.ts'
import { incomingPaymentName } from '../kernel/incoming-payment-name.ts'
import { isIn, retrieveAnywhere } from '../kernel/load.ts'
import { SessionId, sessionModel, sessionsOf } from '../kernel/session-kinds.ts'
import { executeExpecting } from '../kernel/step.ts'
import { stepContext } from '../kernel/step-context.ts'
import { isInMerchantsCustody } from '../services/custody.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import { sessionNamed } from '../services/payable-named.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Services } from '../services/services.ts'
import type { AwaitingPayment } from '../stores/awaiting-rate.ts'
import type { IngestServices } from './services.ts'

/**
 * Places an incoming payment in the checkout or invoice that its memo names, or that recorded its transaction;
 * otherwise it is funding, or an exception. Repeating this writes nothing twice.
 */
export const receiveIncomingPayment = async (
  services: IngestServices,
  scope: Scope,
  received: LedgerIncomingPayment,
): Promise<E.Either<ProcessFailure, void>> => {
  const incoming = keptIncomingPayment(received)
  const named = await checkoutOf(services, scope, received)
  if (E.isLeft(named)) return named
  if (O.isNone(named.right)) {
    // Money to a merchant's own account that names no sale is not ours to handle.
    if (isInMerchantsCustody(services.readModels, scope.environment, received.destination)) return E.right(undefined)
    const isFunding = await receiveFunding(services, scope, received.destination, incoming)
    if (E.isLeft(isFunding)) return isFunding
    if (isFunding.right) return E.right(undefined)
    const kind = isDust(incoming) ? 'dust' : 'unmatched'
    const memo = memoOf(received)
    return openException(services, scope, {
      kind,
      incoming,
      checkoutId: null,
      paymentId: null,
      account: received.destination,
      ...memo,
    })
  }
  const checkout = named.right.value
  const sessionId = decodeOrThrow(SessionId, checkout.id)
  const awaiting = { merchantId: scope.merchantId, environment: scope.environment, sessionId, incoming }
  // Behind an incoming payment that waits for a rate, later ones wait too: a checkout takes them in order.
  const placed = services.awaitingRate.has(scope.environment, sessionId)
    ? null
    : await place(services, awaiting, checkout, null)
  if (placed !== null && !isRateMissing(placed)) return placed
  services.awaitingRate.add(awaiting)
  return E.right(undefined)
}

/** The part of an incoming payment that the domain records. */
export const keptIncomingPayment = (received: LedgerIncomingPayment): IncomingPayment => {
  const { kind, fromMuxedId, fromContract, muxedId } = received
  const origin = decodeOrThrow(IncomingPaymentOrigin, { kind, fromMuxedId, fromContract, muxedId })
  return { ...decodeOrThrow(IncomingPayment, IncomingPayment.encode(received)), origin }
}

const memoOf = ({ memo }: LedgerIncomingPayment): Pick<Misfit, 'memo'> => {
  const [type, value] = memo._tag === 'none' ? ['none', null] : [memo._tag, memo.value]
  const kept = ReceivedMemo.decode({ type, value })
  return E.isRight(kept) ? { memo: kept.right } : {}
}

/**
 * Judges the incoming payments that wait for a rate, in the order of each checkout. If the rate at the close of their
 * ledger is unknown by then, the first available rate counts, as for late payers.
 */
export const placeAwaiting = async (
  services: IngestServices,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const bySession = Map.groupBy(services.awaitingRate.of(environment), ({ sessionId }) => sessionId)
  const items = [...bySession].flatMap(([id, all]) =>
    all.slice(0, 1).map(({ merchantId }) => ({ merchantId, environment, id, all })),
  )
  return eachIsolated(services, environment, {
    loop: 'awaiting_rate',
    items,
    again: () => null,
    work: ({ id, all }) => placeAllOf(services, id, all),
  })
}

const placeAllOf = async (
  services: IngestServices,
  sessionId: SessionId,
  waiting: ReadonlyArray<AwaitingPayment>,
): Promise<E.Either<ProcessFailure, void>> => {
  const found = await retrieveAnywhere(services.store)(sessionModel(sessionId), sessionId)
  if (E.isLeft(found)) return found
  if (O.isNone(found.right)) throw new Error(`an incoming payment waits for ${sessionId}, which does not exist`)
  for (const awaiting of waiting) {
    const placed = await place(services, awaiting, found.right.value, services.clock.now())
    if (isRateMissing(placed)) return E.right(undefined)
    if (E.isLeft(placed)) return placed
    services.awaitingRate.remove(awaiting)
  }
  return E.right(undefined)
}

const place = async (
  services: IngestServices,
  { merchantId, environment, sessionId, incoming }: AwaitingPayment,
  checkout: Found<CheckoutRow>,
  otherwise: UnixMs | null,
): Promise<E.Either<ProcessFailure, void>> => {
  const scope = { merchantId, environment }
  const ended = await endInvoice(services, scope, sessionId, checkout.row.details, incoming.closedAt)
  if (E.isLeft(ended)) return ended
  const accepted = await accept(services, scope, checkout, incoming, otherwise)
  if (E.isLeft(accepted)) return accepted
  return followUp(
    services,
    { ...scope, sessionId, at: incoming.closedAt },
    existingCheckout(accepted.right.state, sessionId),
  )
}

/**
 * The checkout that an incoming payment to this account pays: the one that the memo names, or else the one that
 * recorded the transaction's hash, since not every transaction can carry a memo. Money that an account sends itself, by
 * an exchange or from its own claimable balance, pays for nothing.
 */
const checkoutOf = async (
  services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  scope: Scope,
  { memo, transactionHash, innerHash, destination, from, fromContract }: LedgerIncomingPayment,
): Promise<E.Either<ProcessFailure, O.Option<Found<CheckoutRow>>>> => {
  if (from === destination && fromContract === null) return E.right(O.none)
  const isPaidHere = (found: Found<CheckoutRow>) => isIn(scope, found) && found.row.details.destination === destination
  const named = await sessionNamed(services, memo._tag === 'text' ? memo.value : '')
  if (E.isLeft(named)) return named
  const id = named.right
  if (id !== null)
    return pipe(await retrieveAnywhere(services.store)(sessionModel(id), id), E.map(O.filter(isPaidHere)))
  const hashes = innerHash === undefined ? [transactionHash] : [transactionHash, innerHash]
  const announced = hashes.flatMap((hash) => services.readModels.checkouts.withKey(hash))
  return E.right(O.fromNullable(announced.find(isPaidHere)))
}

/** Judged by a new quote if none of the issued quotes can judge it. */
const accept = async (
  services: Pick<Services, 'store' | 'settlementOf' | 'networks'>,
  scope: Scope,
  checkout: Found<CheckoutRow>,
  incoming: IncomingPayment,
  otherwise: UnixMs | null,
): Promise<E.Either<ProcessFailure, Executed<CheckoutState>>> => {
  const context = stepContext(scope, incomingPaymentName(scope, incoming), 'accept', incoming.closedAt)
  const paymentId = createdId(PaymentId, context.at, context.commandId)
  const sessions = sessionsOf(checkout.id)
  return judgeWithQuote(services, checkout, incoming.closedAt, otherwise, (requote) => {
    const decide = sessions.decider.decide({ type: 'AcceptCredit', credit: incoming, paymentId, requote })
    return executeExpecting(services.store)(['QuoteNeeded'], sessions, checkout.id, context, decide)
  })
}
