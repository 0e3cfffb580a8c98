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
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { timestamp } from '../../resources/fields.ts'
import { ensureUnlisted } from '../../services/holding.ts'
import { type Network, networkOf, type Services } from '../../services/services.ts'
import { livingCustomer } from '../customers/living.ts'
import { type MandateFacts, offeredFacts } from './mandate-facts.ts'
import { offerMandate } from './offer-mandate.ts'
import { acceptable, type PricedPath, pricedPaths } from './path-price.ts'
import type { PayFailure } from './pay.ts'
import {
  accountAt,
  ensureArrival,
  ensureOnlySubscription,
  type PayableSession,
  payableSession,
} from './payable-session.ts'
import { bidOfPayer, goingPrice } from './payer-bid.ts'
import { ensureFee, ensureFunded, offersAgainst, spendableIn } from './payer-funds.ts'
import type { PayerServices } from './services.ts'

/**
 * The asset that the wallet sends instead of the requested one; `most` is the highest amount that the payer accepts, if
 * given.
 */
export type Sending = { readonly assetId: AssetId; readonly most: Stroops | null }

/**
 * An unsigned transaction for the wallet to sign: a payment in the requested asset or through an exchange; for a
 * subscription, its mandate, which takes the requested asset only.
 */
export const buildTransaction = async (
  services: PayerServices,
  id: string,
  sourceAccount: AccountId,
  sending: Sending | null = null,
): Promise<E.Either<PayFailure, BuiltTransaction>> => {
  const payable = await payableSession(services, id)
  if (E.isLeft(payable)) return payable
  const unlisted = await ensureUnlisted(services, [sourceAccount])
  if (E.isLeft(unlisted)) return unlisted
  const { found, state } = payable.right.session
  const network = networkOf(services, found.environment)
  if (E.isLeft(network)) return network
  const { subscription } = state.details
  const built =
    subscription === undefined
      ? await paymentOf(services, network.right, payable.right, sourceAccount, sending)
      : await mandateOf(services, payable.right, subscription, sourceAccount, sending)
  return E.isLeft(built) ? built : forWallet(services, network.right, built.right)
}

/** The transaction as a wallet receives it, with the request URI that opens the wallet. */
export const forWallet = async (
  { signRequest }: Pick<Services, 'signRequest'>,
  { gateway: { networkPassphrase } }: Network,
  built: Built,
): Promise<E.Either<SignerUnavailable, BuiltTransaction>> => {
  const uri = await signRequest(txUri({ envelopeXdr: built.envelopeXdr, networkPassphrase }))()
  return E.isLeft(uri) ? uri : E.right(render(built, networkPassphrase, uri.right))
}

type Built = {
  readonly envelopeXdr: string
  readonly maxTime: UnixMs
  readonly kind: 'payment' | 'path_payment' | 'mandate' | 'trustline'
  readonly sendMax: Stroops | null
  readonly mandate: MandateFacts | null
}

const mandateOf = async (
  services: PayerServices,
  due: PayableSession,
  plan: SubscriptionPlan,
  wallet: AccountId,
  sending: Sending | null,
): Promise<E.Either<PayFailure, Built>> => {
  const { found, state } = due.session
  if (state.customerId === null) return E.left({ _tag: 'CustomerNeeded' })
  if (sending !== null && sending.assetId !== due.assetId) return E.left({ _tag: 'NoPath', assetId: sending.assetId })
  const customer = await livingCustomer(services, found, state.customerId)
  if (E.isLeft(customer)) return customer
  const only = await ensureOnlySubscription(services, due.session, wallet)
  if (E.isLeft(only)) return only
  const offer = await offerMandate(services, due, plan, wallet)
  if (E.isLeft(offer)) return offer
  return E.right({ ...offer.right, kind: 'mandate', sendMax: null, mandate: offeredFacts(offer.right) })
}

const paymentOf = async (
  services: PayerServices,
  network: Network,
  due: PayableSession,
  sourceAccount: AccountId,
  sending: Sending | null,
): Promise<E.Either<PayFailure, Built>> => {
  const { gateway } = network
  const latest = await gateway.latestLedger()()
  if (E.isLeft(latest)) return latest
  const arrives = await ensureArrival(services, due)
  if (E.isLeft(arrives)) return arrives
  const account = await accountAt(network, sourceAccount, sentAssets(due, sending))
  if (E.isLeft(account)) return account
  const bid = bidOfPayer(await goingPrice(gateway, 'classic'))
  const order = orderOf(due, account.right, latest.right, bid, gateway.networkPassphrase)
  if (sending === null || sending.assetId === due.assetId) {
    const funded = ensureFunded(account.right, due.assetId, due.amount, bid)
    if (E.isLeft(funded)) return funded
    const payment = buildPayment(order)
    return E.isLeft(payment) ? payment : E.right({ ...payment.right, kind: 'payment', sendMax: null, mandate: null })
  }
  const path = await pathFor(services, network, due, sending, account.right, bid)
  if (E.isLeft(path)) return path
  const { offer, sendMax } = path.right
  const payment = buildPathPayment({ ...order, ...offer, sendMax })
  return E.isLeft(payment) ? payment : E.right({ ...payment.right, kind: 'path_payment', sendMax, mandate: null })
}

const sentAssets = ({ assetId }: PayableSession, sending: Sending | null): ReadonlyArray<AssetId> => [
  ...new Set([assetId, ...(sending === null ? [] : [sending.assetId])]),
]

/** Null if the account does not hold the asset, or may not send it. */
export const balanceIn = ({ nativeBalance, trustlines }: AccountView, assetId: AssetId): Stroops | null =>
  assetId === 'native'
    ? nativeBalance
    : (trustlines.find((each) => each.assetId === assetId && each.isAuthorized)?.balance ?? null)

const pathFor = async (
  services: Pick<Services, 'clock' | 'settlementOf'>,
  { paths }: Network,
  { session: { found }, assetId, amount }: PayableSession,
  sending: Sending,
  account: AccountView,
  bid: Stroops,
): Promise<E.Either<PayFailure, PricedPath>> => {
  const balance = spendableIn(account, sending.assetId, bid)
  if (paths === null) return E.left({ _tag: 'PathsNotConfigured' })
  if (balance === null) return E.left({ _tag: 'SendAssetNotHeld', assetId: sending.assetId })
  const fee = ensureFee(account, bid)
  if (E.isLeft(fee)) return fee
  const settlement = await services.settlementOf(found.merchantId, found.environment)()
  if (E.isLeft(settlement)) return settlement
  const known = [...settlement.right.accepted, ...paths.assets]
  const priced = await pricedPaths(
    paths,
    known,
    { assetId, amount },
    [sending.assetId],
    services.clock.now(found.environment),
  )
  if (E.isLeft(priced)) return priced
  const path = acceptable(sending.assetId, priced.right[0], sending.most)
  if (E.isLeft(path)) return path
  const { offer } = path.right
  if (offer.path.length === 0 && offersAgainst(account, sending.assetId, assetId))
    return E.left({ _tag: 'NoPath', assetId: sending.assetId })
  if (offer.sendAmount > balance) return E.left({ _tag: 'SendAssetTooLittle', balance, needed: offer.sendAmount })
  return path
}

const orderOf = (
  { session: { reference, state }, assetId, amount }: PayableSession,
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
  memoText: reference,
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
