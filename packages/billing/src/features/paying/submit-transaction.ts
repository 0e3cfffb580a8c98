import {
  asText,
  type CheckoutRejection,
  isBroughtBy,
  type MandateOffer,
  PaymentId,
  type TransactionHash,
  type UnixMs,
} from '@quittance/domain'
import { type EnvelopeView, type LedgerUnreachable, readEnvelope, type SubmitFailure } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId } from '../../kernel/derive.ts'
import { executeLater } from '../../kernel/execute.ts'
import { sessionsOf } from '../../kernel/session-kinds.ts'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import { followUp } from '../checkouts/follow-up.ts'
import { existingCheckout } from '../payments/session.ts'
import { notPayable, type PayFailure } from './pay.ts'
import { type PublicSession, payerContext, publicSession } from './session.ts'

/** A relayed transaction that waits longer than this could not be told dead for as long. */
export const longestWaitMs = 60 * 60 * 1000

/**
 * Relays a signed payment, or a mandate that was offered here, to the network. Only once it is in the network's queue, or may be, is it written down, with its
 * bytes, which a worker sends again until a ledger holds them; what it brings is read from the ledger, so a crash in between loses nothing. The same bytes may be handed in again at any time:
 * whoever lost the answer is told the same hash, and never to pay once more.
 */
export const submitTransaction =
  (services: Services) =>
  (id: string, envelopeXdr: string): TE.TaskEither<PayFailure, { readonly transaction_hash: string }> =>
    pipe(
      publicSession(services)(id),
      TE.bindTo('session'),
      TE.bindW('network', ({ session }) => TE.fromEither(networkOf(services, session.found.environment))),
      TE.bindW('envelope', ({ session, network }) => TE.fromEither(relayedIn(session, network, envelopeXdr))),
      TE.chainW(({ session, network, envelope }) =>
        hasArrived(session, envelope.transactionHash)
          ? TE.right({ transaction_hash: envelope.transactionHash })
          : relay(services, session, network, envelope, envelopeXdr),
      ),
    )

const relay = (
  services: Services,
  session: PublicSession,
  network: Network,
  envelope: EnvelopeView,
  envelopeXdr: string,
): TE.TaskEither<PayFailure, { readonly transaction_hash: string }> =>
  pipe(
    TE.fromEither(relayable(services, session, envelope)),
    TE.chainFirstW(() => queued(network, envelopeXdr, envelope.transactionHash)),
    TE.chainW((transaction) => record(services, session, transaction, envelopeXdr)),
    TE.map(() => ({ transaction_hash: envelope.transactionHash })),
  )

/** The follower has met the transaction already: nothing is to be sent. */
const hasArrived = ({ state }: PublicSession, transactionHash: TransactionHash): boolean => {
  const { accepted, setAside, enrolment, refusedEnrolments } = state
  const mandates = [
    enrolment?.transactionHash,
    enrolment?.offered,
    ...refusedEnrolments.map((each) => each.transactionHash),
  ]
  return (
    [...accepted, ...setAside.map(({ credit }) => credit)].some((credit) => isBroughtBy(credit, transactionHash)) ||
    mandates.includes(transactionHash)
  )
}

/**
 * Nobody knows whether bytes arrived whose fate is unknown: they are written down as well. A refusal may only mean that
 * an earlier send has landed, so it counts once the ledger does not know the hash.
 */
export const queued = (
  { gateway }: Network,
  envelopeXdr: string,
  transactionHash: TransactionHash,
): TE.TaskEither<SubmitFailure | LedgerUnreachable, unknown> =>
  pipe(
    gateway.submit(envelopeXdr),
    TE.orElseW((failure) =>
      failure._tag === 'OutcomeUnknown'
        ? TE.right(null)
        : pipe(
            gateway.lookUp(transactionHash),
            TE.chainW((found) => (found._tag === 'Succeeded' ? TE.right(null) : TE.left(failure))),
          ),
    ),
  )

const relayedIn = (
  session: PublicSession,
  { gateway }: Network,
  envelopeXdr: string,
): E.Either<PayFailure, EnvelopeView> =>
  pipe(
    readEnvelope(envelopeXdr, gateway.networkPassphrase),
    E.filterOrElseW(
      (envelope) =>
        session.state.details.subscription === undefined
          ? pays(envelope, session)
          : offeredIn(session, envelope) !== undefined,
      (envelope): PayFailure =>
        session.state.details.subscription === undefined
          ? { _tag: 'NotAPaymentForThisCheckout' }
          : { _tag: 'MandateNotOffered', transactionHash: envelope.transactionHash },
    ),
  )

/** A mandate is known by the hash of what was offered: not a bit of it was changed, be it in somebody's fee bump. */
const offeredIn = (
  { state: { offers } }: PublicSession,
  { transactionHash, innerHash }: EnvelopeView,
): MandateOffer | undefined => offers.find((offer) => offer.transactionHash === (innerHash ?? transactionHash))

/** `brings`: whether money is to come of it at once, which a payment then waits for. */
type Relayable = {
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
  readonly brings: boolean
}

const relayable = (
  { clock }: Services,
  session: PublicSession,
  envelope: EnvelopeView,
): E.Either<PayFailure, Relayable> => {
  const { maxTime } = envelope
  const offer = offeredIn(session, envelope)
  const transactionHash = offer?.transactionHash ?? envelope.transactionHash
  const { state } = session
  const now = clock.now()
  if (state.status !== 'open' || now >= state.details.expiresAt) return E.left(notPayable(session))
  return maxTime === null || maxTime > now + longestWaitMs
    ? E.left({ _tag: 'TimeBoundsUnfit', longestSeconds: longestWaitMs / 1000 })
    : E.right({ transactionHash, maxTime, brings: offer === undefined || offer.firstAmount > 0n })
}

const pays = ({ memo, payments }: EnvelopeView, { id, state }: PublicSession): boolean =>
  memo._tag === 'text' &&
  memo.value === id &&
  payments.some(
    ({ kind, destination, assetId }) =>
      destination === state.details.destination && (kind === 'payment' || assetId === state.details.assetId),
  )

const record = (
  services: Services,
  { id, found }: PublicSession,
  { transactionHash, maxTime, brings }: Relayable,
  envelopeXdr: string,
): TE.TaskEither<PayFailure, void> => {
  if (!brings) {
    services.relays.keep({
      environment: found.environment,
      transactionHash,
      envelopeXdr: asText(envelopeXdr),
      maxTime,
    })
    return TE.right(undefined)
  }
  const context = payerContext(services, found)
  const paymentId = createdId(PaymentId, context.at, context.commandId)
  const sessions = sessionsOf(id)
  const decide = sessions.decider.decide({
    type: 'SubmitTransaction',
    at: context.at,
    transactionHash,
    maxTime,
    paymentId,
    envelopeXdr: asText(envelopeXdr),
  })
  return pipe(
    executeLater(services.store)(sessions, id, context, decide),
    TE.chainW(({ state }) => {
      const { merchantId, environment } = found
      return followUp(services)({ merchantId, environment, sessionId: id, at: context.at }, existingCheckout(state, id))
    }),
    TE.orElseW((failure) => (overtaken.has(failure._tag) ? TE.right(undefined) : TE.left(failure))),
  )
}

/** The ledger was faster: the transaction is on its way all the same, and what it brings is read from there. */
const overtaken: ReadonlySet<string> = new Set<CheckoutRejection['_tag']>([
  'CompletionUnderWay',
  'CheckoutIsCompleted',
  'CheckoutIsExpired',
  'CheckoutIsFailed',
  'DeadlinePassed',
])
