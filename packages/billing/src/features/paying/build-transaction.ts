import {
  type AccountId,
  type AssetId,
  decimalFromStroops,
  type Stroops,
  type SubscriptionPlan,
  type UnixMs,
} from '@quittance/domain'
import {
  type AccountView,
  buildPathPayment,
  buildPayment,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  type LedgerHead,
  type PaymentOrder,
  type SignerUnavailable,
  txUri,
  type UnsignedTransaction,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { timestamp } from '../../resources/fields.ts'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import { livingCustomer } from '../customers/living.ts'
import { type MandateFacts, offeredFacts } from './mandate-facts.ts'
import { offerMandate } from './offer-mandate.ts'
import { acceptable, type PathRefused, type PricedPath, pricedPaths } from './path-price.ts'
import type { PayFailure, SendRefused } from './pay.ts'
import { accountAt, ensureArrival, type PayableSession, payableSession } from './payable-session.ts'
import { bidOfPayer, goingPrice } from './payer-bid.ts'
import { ensureFee, ensureFunded, offersAgainst, spendableIn } from './payer-funds.ts'

/** What the wallet would rather send than the asset that is asked for; `most` is what its owner agrees to, if they said. */
export type Sending = { readonly assetId: AssetId; readonly most: Stroops | null }

/**
 * An unsigned transaction of what is due, for the wallet to sign: a payment with the asset asked for, or through an
 * exchange; of a subscription, its mandate, which pays with nothing else.
 */
export const buildTransaction =
  (services: Services) =>
  (id: string, sourceAccount: AccountId, sending: Sending | null = null): TE.TaskEither<PayFailure, BuiltTransaction> =>
    pipe(
      payableSession(services)(id),
      TE.bindTo('due'),
      TE.bindW('network', ({ due }) => TE.fromEither(networkOf(services, due.session.found.environment))),
      TE.bindW('built', ({ due, network }) => {
        const { subscription } = due.session.state.details
        return subscription === undefined
          ? paymentOf(services, network, due, sourceAccount, sending)
          : mandateOf(services, due, subscription, sourceAccount, sending)
      }),
      TE.chainW(({ built, network }) => forWallet(services, network)(built)),
    )

/** A transaction as it is handed to a wallet, with the request that opens one. */
export const forWallet =
  ({ signRequest }: Services, { gateway: { networkPassphrase } }: Network) =>
  (built: Built): TE.TaskEither<SignerUnavailable, BuiltTransaction> =>
    pipe(
      signRequest(txUri({ envelopeXdr: built.envelopeXdr, networkPassphrase })),
      TE.map((uri) => render(built, networkPassphrase, uri)),
    )

type Built = {
  readonly envelopeXdr: string
  readonly maxTime: UnixMs
  readonly kind: 'payment' | 'path_payment' | 'mandate'
  readonly sendMax: Stroops | null
  readonly mandate: MandateFacts | null
}

const mandateOf = (
  services: Services,
  due: PayableSession,
  plan: SubscriptionPlan,
  wallet: AccountId,
  sending: Sending | null,
): TE.TaskEither<PayFailure, Built> => {
  const {
    found,
    state: { customerId },
  } = due.session
  if (customerId === null) return TE.left({ _tag: 'CustomerNeeded' })
  if (sending !== null && sending.assetId !== due.assetId) return TE.left({ _tag: 'NoPath', assetId: sending.assetId })
  return pipe(
    () => livingCustomer(services, found, customerId),
    TE.chainW(() => offerMandate(services)(due, plan, wallet)),
    TE.map((offer) => ({ ...offer, kind: 'mandate', sendMax: null, mandate: offeredFacts(offer) })),
  )
}

const paymentOf = (
  services: Services,
  network: Network,
  due: PayableSession,
  sourceAccount: AccountId,
  sending: Sending | null,
): TE.TaskEither<PayFailure, Built> =>
  pipe(
    network.gateway.latestLedger(),
    TE.bindTo('latest'),
    TE.chainFirstW(() => ensureArrival(services, due)),
    TE.bindW('account', () => accountAt(network, sourceAccount, sentAssets(due, sending))),
    TE.bindW('bid', () => TE.fromTask(T.map(bidOfPayer)(goingPrice(network.gateway, 'classic')))),
    TE.bindW('path', ({ account, bid }) =>
      sending === null || sending.assetId === due.assetId
        ? TE.fromEither(E.map(() => null)(ensureFunded(account, due.assetId, due.amount, bid)))
        : pathFor(services, network, due, sending, account, bid),
    ),
    TE.chainEitherKW(({ latest, account, bid, path }) => {
      const order = orderOf(due, account, latest, bid, network.gateway.networkPassphrase)
      const built =
        path === null ? buildPayment(order) : buildPathPayment({ ...order, ...path.offer, sendMax: path.sendMax })
      const kind = path === null ? 'payment' : 'path_payment'
      return E.map(
        (transaction: UnsignedTransaction): Built => ({
          ...transaction,
          kind,
          sendMax: path?.sendMax ?? null,
          mandate: null,
        }),
      )(built)
    }),
  )

const sentAssets = ({ assetId }: PayableSession, sending: Sending | null): ReadonlyArray<AssetId> => [
  ...new Set([assetId, ...(sending === null ? [] : [sending.assetId])]),
]

/** Null for an asset that the account does not have, or may not part with. */
export const balanceIn = ({ nativeBalance, trustlines }: AccountView, assetId: AssetId): Stroops | null =>
  assetId === 'native'
    ? nativeBalance
    : (trustlines.find((each) => each.assetId === assetId && each.isAuthorized)?.balance ?? null)

const pathFor = (
  services: Services,
  { paths }: Network,
  { session: { found }, assetId, amount }: PayableSession,
  sending: Sending,
  account: AccountView,
  bid: Stroops,
): TE.TaskEither<PayFailure, PricedPath> => {
  const balance = spendableIn(account, sending.assetId, bid)
  if (paths === null) return TE.left({ _tag: 'PathsNotConfigured' })
  if (balance === null) return TE.left({ _tag: 'SendAssetNotHeld', assetId: sending.assetId })
  const fee = ensureFee(account, bid)
  if (E.isLeft(fee)) return TE.left(fee.left)
  return pipe(
    services.settlementOf(found.merchantId, found.environment),
    TE.chainW(({ accepted }) =>
      pricedPaths(paths, [...accepted, ...paths.assets], { assetId, amount }, [sending.assetId], services.clock.now()),
    ),
    TE.chainEitherKW(([path]) => acceptable(sending.assetId, path, sending.most)),
    TE.filterOrElseW(
      ({ offer: { path } }) => path.length > 0 || !offersAgainst(account, sending.assetId, assetId),
      (): PathRefused => ({ _tag: 'NoPath', assetId: sending.assetId }),
    ),
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
  fee: Stroops,
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
  fee,
  networkPassphrase,
})

const render = (
  { envelopeXdr, maxTime, kind, sendMax, mandate }: Built,
  networkPassphrase: string,
  sep7Uri: string,
) => ({
  transaction_xdr: envelopeXdr,
  network_passphrase: networkPassphrase,
  kind,
  send_max: sendMax === null ? null : decimalFromStroops(sendMax),
  sep7_uri: sep7Uri,
  expires_at: timestamp(maxTime),
  mandate,
})
export type BuiltTransaction = ReturnType<typeof render>
