import {
  type CheckoutRejection,
  type CheckoutState,
  type Environment,
  type IncomingPayment,
  PaymentId,
  toRecord,
  type UnixMs,
} from '@quittance/domain'
import type { IncomingPayment as LedgerIncomingPayment } from '@quittance/ledger'
import type { Found, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { followUp } from '../features/checkouts/follow-up.ts'
import { isRateMissing, judgeWithQuote } from '../features/checkouts/judge-with-quote.ts'
import { endInvoice } from '../features/invoices/invoice-end.ts'
import { openedForNoSession } from '../features/payments/open-exception.ts'
import { existingCheckout } from '../features/payments/session.ts'
import { allOf } from '../kernel/all-of.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import { createdId } from '../kernel/derive.ts'
import { incomingPaymentName } from '../kernel/incoming-payment-name.ts'
import { isIn } from '../kernel/load.ts'
import { rememberedSessions } from '../kernel/remembered-sessions.ts'
import { SessionId, sessionsOf } from '../kernel/session-kinds.ts'
import { stepRejected } from '../kernel/step.ts'
import { stepContext } from '../kernel/step-context.ts'
import { eachIsolated } from '../services/each-isolated.ts'
import { sessionNamed } from '../services/payable-named.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Priced } from '../services/quote-for.ts'
import type { Services } from '../services/services.ts'
import type { AwaitingPayment } from '../stores/awaiting-rate.ts'
import { keptIncomingPayment } from './kept-incoming-payment.ts'
import type { IngestServices } from './services.ts'
import { receiveUnnamed } from './unnamed-payments.ts'

/** A session that money may be for, as far as judging needs it. */
type PayableSession = Found<Priced>

/**
 * Places incoming payments of one ledger in the checkouts or invoices that their memos name, or that recorded their
 * transactions; the others are funding, or exceptions. What is for one session is recorded in one append, few entries
 * for any number of payments. Repeating this writes nothing twice.
 */
export const receiveIncomingPayments = async (
  services: IngestServices,
  scope: Scope,
  received: ReadonlyArray<LedgerIncomingPayment>,
): Promise<E.Either<ProcessFailure, void>> => {
  const bySession = new Map<string, { readonly session: PayableSession; readonly payments: Array<IncomingPayment> }>()
  const unnamed: Array<LedgerIncomingPayment> = []
  const callOf = callsOf(services)
  const isSessionLate = await lateSessions(services, scope, received)
  for (const each of received) {
    const called = await callOf(each)
    if (E.isLeft(called)) return called
    const session = called.right.find((found) => isPaidBy(scope, found, each))
    const isLate = session === undefined ? E.right(true) : await isSessionLate(session, each)
    if (E.isLeft(isLate)) return isLate
    if (session === undefined || isLate.right) {
      unnamed.push(each)
      continue
    }
    const known = bySession.get(session.id) ?? { session, payments: [] }
    bySession.set(session.id, known)
    known.payments.push(keptIncomingPayment(each))
  }
  for (const { session, payments } of bySession.values()) {
    const placed = await placeOrAwaitRate(services, scope, session, payments)
    if (E.isLeft(placed)) return placed
  }
  for (const [account, payments] of Map.groupBy(unnamed, ({ destination }) => destination)) {
    const placed = await receiveUnnamed(services, scope, account, payments)
    if (E.isLeft(placed)) return placed
  }
  return E.right(undefined)
}

/**
 * Whether a payment of a ledger was recorded as money for no session before its session came into the log, alone or in a
 * sum. Sums are recorded last, so one holds whatever a session has not recorded by then.
 */
const lateSessions = async (services: IngestServices, scope: Scope, received: ReadonlyArray<LedgerIncomingPayment>) => {
  const { readModels, store, awaitingRate } = services
  const bookOf = ({ destination, assetId }: LedgerIncomingPayment) => `${destination} ${assetId}`
  const openedFor = new Map(
    await Promise.all(received.map(async (each) => [each, await openedForNoSession(readModels, scope, each)] as const)),
  )
  const summed = new Set(
    received.filter((each) => openedFor.get(each)?.some(({ sum }) => sum !== undefined)).map(bookOf),
  )
  return async ({ id }: PayableSession, payment: LedgerIncomingPayment): Promise<E.Either<ProcessFailure, boolean>> => {
    if ((openedFor.get(payment) ?? []).length > 0) return E.right(true)
    const sessionId = decodeOrThrow(SessionId, id)
    if (!summed.has(bookOf(payment)) || (await awaitingRate.has(scope.environment, sessionId))) return E.right(false)
    const known = await rememberedSessions(store, sessionId).read(sessionId)
    if (E.isLeft(known)) return known
    return E.right(toRecord(existingCheckout(known.right.state, id), [keptIncomingPayment(payment)]).length > 0)
  }
}

/** Behind an incoming payment that waits for a rate, later ones wait too: a session takes them in order. */
const placeOrAwaitRate = async (
  services: IngestServices,
  { merchantId, environment }: Scope,
  session: PayableSession,
  payments: ReadonlyArray<IncomingPayment>,
): Promise<E.Either<ProcessFailure, void>> => {
  const sessionId = decodeOrThrow(SessionId, session.id)
  if (!(await services.awaitingRate.has(environment, sessionId))) {
    const placed = await place(services, session, payments, null)
    if (!isRateMissing(placed)) return placed
  }
  const known = await rememberedSessions(services.store, sessionId).read(sessionId)
  if (E.isLeft(known)) return known
  const entries = toRecord(existingCheckout(known.right.state, sessionId), payments)
  await services.awaitingRate.addAll(entries.map((incoming) => ({ merchantId, environment, sessionId, incoming })))
  return E.right(undefined)
}

/**
 * Judges the incoming payments that wait for a rate, in the order of each checkout. If the rate at the close of their
 * ledger is unknown by then, the first available rate counts, as for late payers.
 */
export const placeAwaiting = async (
  services: IngestServices,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const bySession = Map.groupBy(await services.awaitingRate.of(environment), ({ sessionId }) => sessionId)
  const items = [...bySession].flatMap(([id, all]) =>
    all.slice(0, 1).map(({ merchantId }) => ({ merchantId, environment, id, all })),
  )
  return eachIsolated(services, environment, {
    loop: 'awaiting_rate',
    items,
    again: async () => null,
    work: ({ id, all }) => placeAllOf(services, id, all),
  })
}

const placeAllOf = async (
  services: IngestServices,
  sessionId: SessionId,
  waiting: ReadonlyArray<AwaitingPayment>,
): Promise<E.Either<ProcessFailure, void>> => {
  const session = await sessionNow(services, sessionId)
  if (E.isLeft(session)) return session
  if (session.right === null) throw new Error(`an incoming payment waits for ${sessionId}, which does not exist`)
  for (const awaiting of waiting) {
    const placed = await place(
      services,
      session.right,
      [awaiting.incoming],
      services.clock.now(session.right.environment),
    )
    if (isRateMissing(placed)) return E.right(undefined)
    if (E.isLeft(placed)) return placed
    await services.awaitingRate.remove(awaiting)
  }
  return E.right(undefined)
}

/** Places payments of one ledger in a session, and does what follows from them. */
const place = async (
  services: IngestServices,
  session: PayableSession,
  payments: ReadonlyArray<IncomingPayment>,
  otherwise: UnixMs | null,
): Promise<E.Either<ProcessFailure, void>> => {
  const [first] = payments
  if (first === undefined) return E.right(undefined)
  const { merchantId, environment, row } = session
  const scope = { merchantId, environment }
  const sessionId = decodeOrThrow(SessionId, session.id)
  const { ledger, closedAt } = first
  const ended = await endInvoice(services, scope, sessionId, row.details, closedAt)
  if (E.isLeft(ended)) return ended
  const accepted = await accept(services, session, payments, first, otherwise)
  if (E.isLeft(accepted)) return accepted
  const at = { ...scope, sessionId, at: closedAt }
  return followUp(services, at, existingCheckout(accepted.right, sessionId), ledger)
}

type Sessions = E.Either<ProcessFailure, ReadonlyArray<PayableSession>>

/**
 * Finds the sessions that an incoming payment may be for: the one that the memo names, or else those that recorded the
 * transaction's hash, since not every transaction can carry a memo. Looks up each memo and each transaction once.
 */
const callsOf = (services: Pick<Services, 'store' | 'readModels' | 'caughtUp'>) => {
  const byMemo = new Map<string, Promise<Sessions | null>>()
  const byHash = new Map<string, ReadonlyArray<PayableSession>>()
  const named = async (memo: string): Promise<Sessions | null> => {
    const id = await sessionNamed(services, memo)
    if (E.isLeft(id)) return id
    if (id.right === null) return null
    const session = await sessionNow(services, id.right)
    return E.map((found: PayableSession | null) => (found === null ? [] : [found]))(session)
  }
  const announced = async (hash: string): Promise<ReadonlyArray<PayableSession>> => {
    const found = byHash.get(hash) ?? (await services.readModels.checkouts.withKey(hash))
    byHash.set(hash, found)
    return found
  }
  return async ({ memo, transactionHash, innerHash }: LedgerIncomingPayment): Promise<Sessions> => {
    if (memo._tag === 'text') {
      const known = byMemo.get(memo.value) ?? named(memo.value)
      byMemo.set(memo.value, known)
      const sessions = await known
      if (sessions !== null) return sessions
    }
    const hashes = innerHash === undefined ? [transactionHash] : [transactionHash, innerHash]
    return E.right((await Promise.all(hashes.map(announced))).flat())
  }
}

/**
 * Whether an incoming payment came to where this session is paid. Money that an account sends itself, by an exchange or
 * from its own claimable balance, pays for nothing.
 */
const isPaidBy = (
  scope: Scope,
  session: PayableSession,
  { destination, from, fromContract }: LedgerIncomingPayment,
): boolean =>
  (from !== destination || fromContract !== null) &&
  isIn(scope, session) &&
  session.row.details.destination === destination

const sessionNow = async (
  { store }: Pick<Services, 'store'>,
  id: SessionId,
): Promise<E.Either<ProcessFailure, PayableSession | null>> => {
  const known = await rememberedSessions(store, id).read(id)
  if (E.isLeft(known)) return known
  const { state, begin } = known.right
  const [first] = begin
  if (first === undefined || state.status === 'absent') return E.right(null)
  const { merchantId, environment } = first.metadata
  return E.right({ id, merchantId, environment, row: { details: state.details } })
}

/** Judged by a new quote if none of the issued quotes can judge them. */
const accept = async (
  services: Pick<Services, 'store' | 'settlementOf' | 'networks'>,
  session: PayableSession,
  payments: ReadonlyArray<IncomingPayment>,
  first: IncomingPayment,
  otherwise: UnixMs | null,
): Promise<E.Either<ProcessFailure, CheckoutState>> => {
  const { closedAt, ledger } = first
  const commandOf = (cause: string) => stepContext(session, cause, 'accept', closedAt)
  const paymentIdOf = (incoming: IncomingPayment) =>
    createdId(PaymentId, closedAt, commandOf(incomingPaymentName(session, incoming)).commandId)
  const cause =
    payments.length === 1
      ? incomingPaymentName(session, first)
      : `${session.environment}/ledger ${ledger}/${session.id}`
  const sessions = sessionsOf(session.id)
  return judgeWithQuote(services, session, closedAt, otherwise, async (requote) => {
    const decide = (state: CheckoutState) => {
      // What has waited for a rate was divided before.
      const left = otherwise === null ? toRecord(existingCheckout(state, session.id), payments) : payments
      const commands = left.map((credit) => ({
        type: 'AcceptCredit' as const,
        credit,
        paymentId: paymentIdOf(credit),
        requote,
      }))
      return allOf(sessions.decider, commands)(state)
    }
    const accepted = await rememberedSessions(services.store, session.id).decide(session.id, commandOf(cause), decide)
    if (E.isLeft(accepted)) return accepted
    const rejected = (rejection: CheckoutRejection) =>
      rejection._tag === 'QuoteNeeded' ? rejection : stepRejected([sessions, session.id], rejection)
    return E.mapLeft(rejected)(accepted.right)
  })
}
