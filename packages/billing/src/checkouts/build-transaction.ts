import { type AccountId, type AssetId, decimalFromStroops, type Stroops, stroops } from '@quittance/domain'
import {
  type AccountView,
  buildPathPayment,
  buildPayment,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  type LedgerHead,
  type PaymentOrder,
  txUri,
  type UnsignedTransaction,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { timestamp } from '../resources/fields.ts'
import { type Network, networkOf, type Services } from '../services.ts'
import { acceptable, type PricedPath, pricedPaths } from './path-price.ts'
import { notPayable, type PayFailure, type SendRefused } from './pay.ts'
import { type QuotedSession, quotedSession } from './quote.ts'
import type { PublicSession } from './session.ts'

/** What a wallet may pay for inclusion at most, in stroops: the network takes the going price, not this. */
const feeCap = stroops(10_000n)

/** What the wallet would rather send than the asset that is asked for; `most` is what its owner agrees to, if they said. */
export type Sending = { readonly assetId: AssetId; readonly most: Stroops | null }

/** An unsigned payment of what is due, for the wallet to sign: with the asset asked for, or through an exchange. */
export const buildTransaction =
  (services: Services) =>
  (id: string, sourceAccount: AccountId, sending: Sending | null = null): TE.TaskEither<PayFailure, BuiltTransaction> =>
    pipe(
      payableSession(services)(id),
      TE.bindTo('due'),
      TE.bindW('network', ({ due }) => TE.fromEither(networkOf(services, due.session.found.environment))),
      TE.bindW('latest', ({ network }) => network.gateway.latestLedger()),
      TE.bindW('account', ({ network }) =>
        accountAt(network, sourceAccount, sending === null ? [] : [sending.assetId]),
      ),
      TE.bindW('path', ({ due, network, account }) =>
        sending === null || sending.assetId === due.assetId
          ? TE.right(null)
          : pathFor(services, network, due, sending, account),
      ),
      TE.chainEitherKW(({ due, network: { gateway }, latest, account, path }) => {
        const { networkPassphrase } = gateway
        const order = orderOf(due, account, latest, networkPassphrase)
        const built =
          path === null ? buildPayment(order) : buildPathPayment({ ...order, ...path.offer, sendMax: path.sendMax })
        return E.map((transaction: UnsignedTransaction) => ({ transaction, path, networkPassphrase }))(built)
      }),
      TE.bindW('uri', ({ transaction: { envelopeXdr }, networkPassphrase }) =>
        services.signRequest(txUri({ envelopeXdr, networkPassphrase })),
      ),
      TE.map(({ transaction, path, networkPassphrase, uri }) => render(transaction, path, networkPassphrase, uri)),
    )

/** A session that can be paid, and what is due in which asset. */
export type PayableSession = { readonly session: PublicSession; readonly assetId: AssetId; readonly amount: Stroops }

/** Errors: why nothing can be paid there; otherwise as a quote's. */
export const payableSession =
  (services: Services) =>
  (id: string): TE.TaskEither<PayFailure, PayableSession> =>
    pipe(quotedSession(services)(id), TE.chainEitherKW(payable))

const payable = ({ session, due }: QuotedSession): E.Either<PayFailure, PayableSession> =>
  due === null ? E.left(notPayable(session)) : E.right({ session, assetId: session.state.details.assetId, amount: due })

export const accountAt = (
  { gateway }: Network,
  account: AccountId,
  assets: ReadonlyArray<AssetId>,
): TE.TaskEither<PayFailure, AccountView> =>
  pipe(
    gateway.accountView(account, assets),
    TE.chainW((view) => (view === null ? TE.left({ _tag: 'SourceAccountNotFound' as const }) : TE.right(view))),
  )

/** Null for an asset that the account does not have, or may not part with. */
export const balanceIn = ({ nativeBalance, trustlines }: AccountView, assetId: AssetId): Stroops | null =>
  assetId === 'native'
    ? nativeBalance
    : (trustlines.find((each) => each.assetId === assetId && each.isAuthorized)?.balance ?? null)

/** What of it can be sent: not a reserve, nor what offers are promised, nor what the fee may take. */
const spendableIn = ({ nativeSpendable, trustlines }: AccountView, assetId: AssetId): Stroops | null =>
  assetId === 'native'
    ? stroops(nativeSpendable > feeCap ? nativeSpendable - feeCap : 0n)
    : (trustlines.find((each) => each.assetId === assetId && each.isAuthorized)?.spendable ?? null)

const pathFor = (
  services: Services,
  { paths }: Network,
  { session: { found }, assetId, amount }: PayableSession,
  sending: Sending,
  account: AccountView,
): TE.TaskEither<PayFailure, PricedPath> => {
  const balance = spendableIn(account, sending.assetId)
  if (paths === null) return TE.left({ _tag: 'PathsNotConfigured' })
  if (balance === null) return TE.left({ _tag: 'SendAssetNotHeld', assetId: sending.assetId })
  return pipe(
    services.settlementOf(found.merchantId, found.environment),
    TE.chainW(({ accepted }) =>
      pricedPaths(paths, [...accepted, ...paths.assets], { assetId, amount }, [sending.assetId], services.clock.now()),
    ),
    TE.chainEitherKW(([path]) => acceptable(sending.assetId, path, sending.most)),
    TE.filterOrElseW(
      ({ offer: { sendAmount } }) => sendAmount <= balance,
      ({ offer: { sendAmount } }): SendRefused => ({ _tag: 'SendAssetTooLittle', balance, needed: sendAmount }),
    ),
  )
}

const orderOf = (
  { session: { id, state }, assetId, amount }: PayableSession,
  { account, accountSequence }: AccountView,
  { closedAt }: LedgerHead,
  networkPassphrase: string,
): PaymentOrder => ({
  sourceAccount: account,
  accountSequence,
  destination: state.details.destination,
  assetId,
  amount,
  memoText: id,
  ledgerClosedAt: closedAt,
  lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
  fee: feeCap,
  networkPassphrase,
})

const render = (
  { envelopeXdr, maxTime }: UnsignedTransaction,
  path: PricedPath | null,
  networkPassphrase: string,
  sep7Uri: string,
) => ({
  transaction_xdr: envelopeXdr,
  network_passphrase: networkPassphrase,
  kind: path === null ? ('payment' as const) : ('path_payment' as const),
  send_max: path === null ? null : decimalFromStroops(path.sendMax),
  sep7_uri: sep7Uri,
  expires_at: timestamp(maxTime),
})
export type BuiltTransaction = ReturnType<typeof render>
