import {
  asText,
  type CheckoutRejection,
  hourMs,
  isBroughtBy,
  type MandateOffer,
  PaymentId,
  type TransactionHash,
  type UnixMs,
} from '@quittance/domain'
import { type EnvelopeView, type LedgerUnreachable, readEnvelope, type SubmitFailure } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { createdId } from '../../kernel/derive.ts'
import { execute } from '../../kernel/execute.ts'
import { sessionsOf } from '../../kernel/session-kinds.ts'
import { traceSubmit } from '../../kernel/tracing/submit-span.ts'
import { ensureSelling } from '../../services/freezing.ts'
import { ensureUnlisted } from '../../services/holding.ts'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import { followUp } from '../checkouts/follow-up.ts'
import { existingCheckout } from '../payments/session.ts'
import { notPayable, type PayFailure } from './pay.ts'
import { ensureOnlySubscription } from './payable-session.ts'
import type { PayerServices } from './services.ts'
import { type PublicSession, payerContext, publicSession } from './session.ts'

/** The longest validity of a relayed transaction. Until it expires, the transaction cannot be known to be dead. */
const latestMaxTimeMs = hourMs

/** Rejects a transaction without an end, or with one so late that nobody could know for that long whether it is dead. */
export const ensureTimeBound = (maxTime: UnixMs | null, now: UnixMs): E.Either<PayFailure, UnixMs> =>
  maxTime === null || maxTime > now + latestMaxTimeMs
    ? E.left({ _tag: 'TimeBoundsUnfit', longestSeconds: latestMaxTimeMs / 1000 })
    : E.right(maxTime)

export type Submitted = { readonly transaction_hash: string }

/**
 * Relays a signed payment, or a mandate that was offered here, to the network. The transaction is recorded, with its
 * bytes, only once it is or may be in the network's queue; a worker sends the bytes again until a ledger holds them.
 * Its effects are read from the ledger, so a crash in between loses nothing. The same bytes may be submitted again at
 * any time and return the same hash.
 */
export const submitTransaction = async (
  services: PayerServices,
  id: string,
  envelopeXdr: string,
): Promise<E.Either<PayFailure, Submitted>> => {
  const found = await publicSession(services, id)
  if (E.isLeft(found)) return found
  const session = found.right
  const network = networkOf(services, session.found.environment)
  if (E.isLeft(network)) return network
  const envelope = relayedIn(session, network.right, envelopeXdr)
  if (E.isLeft(envelope)) return envelope
  const { transactionHash } = envelope.right
  const submitted = E.right({ transaction_hash: transactionHash })
  if (hasArrived(session, transactionHash)) return submitted
  const transaction = relayable(services, session, envelope.right)
  if (E.isLeft(transaction)) return transaction
  const selling = await ensureSelling(services, session.found.merchantId)
  if (E.isLeft(selling)) return selling
  const offer = offeredIn(session, envelope.right)
  const unlisted = await ensureUnlisted(services, [offer?.customer ?? envelope.right.source])
  if (E.isLeft(unlisted)) return unlisted
  const only =
    offer === undefined ? E.right(undefined) : await ensureOnlySubscription(services, session, offer.customer)
  if (E.isLeft(only)) return only
  const queued = await queue(network.right, envelopeXdr, transactionHash)
  if (E.isLeft(queued)) return queued
  const recorded = await record(services, session, transaction.right, envelopeXdr)
  return E.isLeft(recorded) ? recorded : submitted
}

/** Whether an ingested ledger holds the transaction, so that nothing is left to send. */
const hasArrived = ({ state }: PublicSession, transactionHash: TransactionHash): boolean => {
  const { accepted, setAside, enrolment, refusedEnrolments } = state
  const mandates = [
    enrolment?.transactionHash,
    enrolment?.offered,
    ...refusedEnrolments.map((each) => each.transactionHash),
  ]
  return (
    [...accepted, ...setAside.map(({ credit }) => credit)].some((incoming) => isBroughtBy(incoming, transactionHash)) ||
    mandates.includes(transactionHash)
  )
}

/**
 * Sends bytes to the network's queue. An unknown outcome counts as success, since the bytes may have arrived. A refusal
 * may mean that an earlier send is in a ledger already, so it counts only if the ledger does not know the hash.
 */
export const queue = async (
  { gateway }: Network,
  envelopeXdr: string,
  transactionHash: TransactionHash,
): Promise<E.Either<SubmitFailure | LedgerUnreachable, void>> => {
  const told = { hash: transactionHash, kind: 'payer', afterLedger: null }
  const sent = await traceSubmit(told, gateway.submit(envelopeXdr))
  if (E.isRight(sent) || sent.left._tag === 'OutcomeUnknown') return E.right(undefined)
  if (sent.left._tag === 'Withheld') return sent
  const found = await gateway.lookUp(transactionHash)()
  if (E.isLeft(found)) return found
  return found.right._tag === 'Succeeded' ? E.right(undefined) : sent
}

const relayedIn = (
  session: PublicSession,
  { gateway, mandateContract }: Network,
  envelopeXdr: string,
): E.Either<PayFailure, EnvelopeView> => {
  const envelope = readEnvelope(envelopeXdr, gateway.networkPassphrase)
  if (E.isLeft(envelope)) return envelope
  if (session.state.details.subscription === undefined)
    return pays(envelope.right, session) ? envelope : E.left({ _tag: 'NotAPaymentForThisCheckout' })
  const { transactionHash } = envelope.right
  // Nobody may see what is created in another contract: one that was configured when the mandate was offered.
  return offeredIn(session, envelope.right)?.contract !== mandateContract
    ? E.left({ _tag: 'MandateNotOffered', transactionHash })
    : envelope
}

/** The hash of the offer identifies a mandate, also inside a fee bump: so no bit of it was changed. */
const offeredIn = (
  { state: { offers } }: PublicSession,
  { transactionHash, innerHash }: EnvelopeView,
): MandateOffer | undefined => offers.find((offer) => offer.transactionHash === (innerHash ?? transactionHash))

/** `brings`: whether it moves money at once, so that a payment waits for it. */
type Relayable = {
  readonly transactionHash: TransactionHash
  readonly maxTime: UnixMs
  readonly brings: boolean
}

const relayable = (
  { clock }: Pick<Services, 'clock'>,
  session: PublicSession,
  envelope: EnvelopeView,
): E.Either<PayFailure, Relayable> => {
  const offer = offeredIn(session, envelope)
  const transactionHash = offer?.transactionHash ?? envelope.transactionHash
  const { state } = session
  const now = clock.now(session.found.environment)
  if (state.status !== 'open' || now >= state.details.expiresAt) return E.left(notPayable(session))
  const bound = ensureTimeBound(envelope.maxTime, now)
  if (E.isLeft(bound)) return bound
  const brings = offer === undefined || offer.firstAmount > 0n
  return E.right({ transactionHash, maxTime: bound.right, brings })
}

const pays = ({ memo, payments }: EnvelopeView, { reference, state }: PublicSession): boolean =>
  memo._tag === 'text' &&
  memo.value === reference &&
  payments.some(
    ({ kind, destination, assetId }) =>
      destination === state.details.destination && (kind === 'payment' || assetId === state.details.assetId),
  )

const record = async (
  services: PayerServices,
  { id, found }: PublicSession,
  { transactionHash, maxTime, brings }: Relayable,
  envelope: string,
): Promise<E.Either<PayFailure, void>> => {
  const { merchantId, environment } = found
  const envelopeXdr = asText(envelope)
  if (!brings) {
    await services.relays.keep({ environment, transactionHash, envelopeXdr, maxTime })
    return E.right(undefined)
  }
  const context = payerContext(services, found)
  const { at } = context
  const paymentId = createdId(PaymentId, at, context.commandId)
  const sessions = sessionsOf(id)
  const submit = { type: 'SubmitTransaction' as const, at, transactionHash, maxTime, paymentId, envelopeXdr }
  const submitted = await execute(services.store)(sessions, id, context, sessions.decider.decide(submit))
  if (E.isLeft(submitted)) return overtaken.has(submitted.left._tag) ? E.right(undefined) : submitted
  return followUp(services, { merchantId, environment, sessionId: id, at }, existingCheckout(submitted.right.state, id))
}

/**
 * The session has ended meanwhile. The transaction is on its way all the same; its effects are read from the ledger.
 */
const overtaken: ReadonlySet<string> = new Set<CheckoutRejection['_tag']>([
  'CompletionUnderWay',
  'CheckoutIsCompleted',
  'CheckoutIsExpired',
  'CheckoutIsFailed',
  'DeadlinePassed',
])
