import {
  type AccountId,
  Checkout,
  type CheckoutRejection,
  PaymentId,
  type Stroops,
  stroops,
  type TransactionHash,
  type UnixMs,
} from '@quittance/domain'
import {
  type BuildRejection,
  buildPayment,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  type EnvelopeView,
  type LedgerUnreachable,
  type MalformedEnvelope,
  readEnvelope,
  type SubmitFailure,
  txUri,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { execute } from '../execute.ts'
import { createdId } from '../identity/derive.ts'
import { followUp } from '../processes/follow-up.ts'
import { existing } from '../processes/steps.ts'
import { timestamp } from '../resources/fields.ts'
import { type Network, networkOf, type Services } from '../services.ts'
import { type QuotedSession, type QuoteViewFailure, quotedSession } from './quote.ts'
import { type PublicSession, payerContext, publicSession } from './session.ts'

/** What a wallet may pay for inclusion at most, in stroops: the network takes the going price, not this. */
const feeCap = stroops(10_000n)

/** A relayed transaction that waits longer than this could not be told dead for as long. */
const longestWaitMs = 60 * 60 * 1000

export type CheckoutNotOpen = { readonly _tag: 'CheckoutNotOpen'; readonly status: string }

export type PayFailure =
  | QuoteViewFailure
  | LedgerUnreachable
  | BuildRejection
  | MalformedEnvelope
  | SubmitFailure
  | { readonly _tag: 'SourceAccountNotFound' }
  | CheckoutNotOpen
  /** The transaction does not pay this checkout's destination with this checkout's memo. */
  | { readonly _tag: 'NotAPaymentForThisCheckout' }
  /** Without an end, or with one too far away, nobody could ever say that the transaction is dead. */
  | { readonly _tag: 'TimeBoundsUnfit'; readonly longestSeconds: number }

/** An unsigned payment of what is due, for the wallet to sign. */
export const buildTransaction =
  (services: Services) =>
  (id: string, sourceAccount: AccountId): TE.TaskEither<PayFailure, BuiltTransaction> =>
    pipe(
      quotedSession(services)(id),
      TE.chainEitherKW(payable),
      TE.bindTo('due'),
      TE.bindW('network', ({ due }) => TE.fromEither(networkOf(services, due.session.found.environment))),
      TE.bindW('latest', ({ network }) => network.gateway.latestLedger()),
      TE.bindW('account', ({ network }) => network.gateway.accountView(sourceAccount, [])),
      TE.chainEitherKW(({ due, network, latest, account }): E.Either<PayFailure, BuiltTransaction> => {
        if (account === null) return E.left({ _tag: 'SourceAccountNotFound' })
        const { destination, assetId } = due.session.state.details
        const { networkPassphrase } = network.gateway
        const built = buildPayment({
          sourceAccount,
          accountSequence: account.accountSequence,
          destination,
          assetId,
          amount: due.amount,
          memoText: id,
          ledgerClosedAt: latest.closedAt,
          lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
          fee: feeCap,
          networkPassphrase,
        })
        return pipe(
          built,
          E.map(({ envelopeXdr, maxTime }) => ({
            transaction_xdr: envelopeXdr,
            network_passphrase: networkPassphrase,
            kind: 'payment' as const,
            sep7_uri: txUri({ envelopeXdr, networkPassphrase }),
            expires_at: timestamp(maxTime),
          })),
        )
      }),
    )

export type BuiltTransaction = {
  readonly transaction_xdr: string
  readonly network_passphrase: string
  readonly kind: 'payment'
  readonly sep7_uri: string
  readonly expires_at: string
}

const payable = ({ session, due }: QuotedSession): E.Either<PayFailure, { session: PublicSession; amount: Stroops }> =>
  due === null ? E.left(notPayable(session)) : E.right({ session, amount: due })

/** Between a deadline and the ending of its session, it is still called open. */
const notPayable = ({ state, found }: PublicSession): CheckoutNotOpen | CheckoutRejection =>
  state.status === 'open'
    ? { _tag: 'DeadlinePassed', expiresAt: state.details.expiresAt }
    : { _tag: 'CheckoutNotOpen', status: found.row.status }

/**
 * Relays a signed payment to the network. Only once it is in the network's queue, or may be, is it written down; what it
 * brings is read from the ledger, so a crash in between loses nothing.
 */
export const submitTransaction =
  (services: Services) =>
  (id: string, envelopeXdr: string): TE.TaskEither<PayFailure, { readonly transaction_hash: string }> =>
    pipe(
      publicSession(services)(id),
      TE.bindTo('session'),
      TE.bindW('network', ({ session }) => TE.fromEither(networkOf(services, session.found.environment))),
      TE.bindW('transaction', ({ session, network }) =>
        TE.fromEither(relayable(services, session, network, envelopeXdr)),
      ),
      TE.chainFirstW(({ network }) => queued(network, envelopeXdr)),
      TE.chainW(({ session, transaction }) => record(services, session, transaction)),
    )

/** Nobody knows whether bytes arrived whose fate is unknown: they are written down as well. */
const queued = ({ gateway }: Network, envelopeXdr: string): TE.TaskEither<SubmitFailure, unknown> =>
  pipe(
    gateway.submit(envelopeXdr),
    TE.orElseW((failure) => (failure._tag === 'OutcomeUnknown' ? TE.right(null) : TE.left(failure))),
  )

type Relayable = { readonly transactionHash: TransactionHash; readonly maxTime: UnixMs }

const relayable = (
  { clock }: Services,
  session: PublicSession,
  { gateway }: Network,
  envelopeXdr: string,
): E.Either<PayFailure, Relayable> =>
  pipe(
    readEnvelope(envelopeXdr, gateway.networkPassphrase),
    E.chainW((envelope): E.Either<PayFailure, Relayable> => {
      const { state } = session
      if (!pays(envelope, session)) return E.left({ _tag: 'NotAPaymentForThisCheckout' })
      const now = clock.now()
      if (state.status !== 'open' || now >= state.details.expiresAt) return E.left(notPayable(session))
      const { maxTime, transactionHash } = envelope
      return maxTime === null || maxTime > now + longestWaitMs
        ? E.left({ _tag: 'TimeBoundsUnfit', longestSeconds: longestWaitMs / 1000 })
        : E.right({ transactionHash, maxTime })
    }),
  )

const pays = ({ memo, payments }: EnvelopeView, { id, state }: PublicSession): boolean =>
  memo._tag === 'text' &&
  memo.value === id &&
  payments.some(({ destination }) => destination === state.details.destination)

const record = (
  services: Services,
  { id, found }: PublicSession,
  { transactionHash, maxTime }: Relayable,
): TE.TaskEither<PayFailure, { readonly transaction_hash: string }> => {
  const context = payerContext(services, found)
  const paymentId = createdId(PaymentId, context.at, context.commandId)
  const decide = Checkout.decider.decide({
    type: 'SubmitTransaction',
    at: context.at,
    transactionHash,
    maxTime,
    paymentId,
  })
  return pipe(
    execute(services.store)(Checkout, id, context, decide),
    TE.chainW(({ state }) => {
      const { merchantId, environment } = found
      return followUp(services)({ merchantId, environment, checkoutId: id, at: context.at }, existing(state, id))
    }),
    TE.orElseW((failure) => (overtaken.has(failure._tag) ? TE.right(undefined) : TE.left(failure))),
    TE.map(() => ({ transaction_hash: transactionHash })),
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
