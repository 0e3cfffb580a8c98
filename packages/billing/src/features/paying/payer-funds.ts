import { AssetId, issuerOf, maximumStroops, type Stroops, stroops } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'

const xlm = decodeOrThrow(AssetId, 'native')

/** Why a wallet cannot pay. Amounts are in stroops of the asset; for XLM, `needed` includes the fee. */
export type PayerUnfit =
  | { readonly _tag: 'PayerUnfit'; readonly because: 'no_trustline' | 'frozen'; readonly assetId: AssetId }
  | {
      readonly _tag: 'PayerUnfit'
      readonly because: 'balance_too_low'
      readonly assetId: AssetId
      readonly spendable: Stroops
      readonly needed: Stroops
    }

/**
 * Ensures that a wallet can send `amount` of an asset and pay a fee of at most `fee` in XLM. The view must include the
 * asset. Its reserve and the amounts promised to its offers are not spendable. An issuer creates what it sends.
 */
export const ensureFunded = (
  view: AccountView,
  assetId: AssetId,
  amount: Stroops,
  fee: Stroops,
): E.Either<PayerUnfit, void> => {
  const lumens = stroops(assetId === 'native' ? amount + fee : fee)
  if (view.nativeSpendable < lumens) return tooLow(xlm, view.nativeSpendable, lumens)
  if (assetId === 'native' || issuerOf(assetId) === view.account) return E.right(undefined)
  const trustline = view.trustlines.find((each) => each.assetId === assetId)
  if (trustline === undefined) return E.left({ _tag: 'PayerUnfit', because: 'no_trustline', assetId })
  if (!trustline.isAuthorized) return E.left({ _tag: 'PayerUnfit', because: 'frozen', assetId })
  return trustline.spendable < amount ? tooLow(assetId, trustline.spendable, amount) : E.right(undefined)
}

/** Ensures that a wallet can pay a fee in XLM. */
export const ensureFee = (view: AccountView, fee: Stroops): E.Either<PayerUnfit, void> =>
  ensureFunded(view, xlm, stroops(0n), fee)

/**
 * Ensures that a wallet can pay `fee`, the bid and the resource fee of a contract call that takes `amount` from it. The
 * simulation has checked the balance of an issued asset; for XLM it has not counted the fee.
 */
export const ensureCallFunded = (
  view: AccountView,
  assetId: AssetId,
  amount: Stroops,
  fee: Stroops,
): E.Either<PayerUnfit, void> => ensureFunded(view, xlm, stroops(assetId === 'native' ? amount : 0n), fee)

const tooLow = (assetId: AssetId, spendable: Stroops, needed: Stroops): E.Either<PayerUnfit, never> =>
  E.left({ _tag: 'PayerUnfit', because: 'balance_too_low', assetId, spendable, needed })

/**
 * The amount of an asset that a wallet can send in addition to a fee in XLM; null if it does not hold the asset, or may
 * not send it.
 */
export const spendableIn = (
  { account, nativeSpendable, trustlines }: AccountView,
  assetId: AssetId,
  fee: Stroops,
): Stroops | null => {
  if (assetId === 'native') return stroops(nativeSpendable > fee ? nativeSpendable - fee : 0n)
  if (issuerOf(assetId) === account) return stroops(maximumStroops)
  return trustlines.find((each) => each.assetId === assetId && each.isAuthorized)?.spendable ?? null
}

/**
 * Whether the wallet's own offers sell `bought` for `sold`: an exchange of `sold` for `bought` that meets its own offer
 * fails. An offer promises the asset it sells and takes up room for the asset it buys.
 */
export const offersAgainst = (view: AccountView, sold: AssetId, bought: AssetId): boolean =>
  promised(view, bought) > 0n && awaited(view, sold) > 0n

const promised = ({ nativePromised, trustlines }: AccountView, assetId: AssetId): bigint => {
  if (assetId === 'native') return nativePromised
  const trustline = trustlines.find((each) => each.assetId === assetId)
  return trustline === undefined ? 0n : trustline.balance - trustline.spendable
}

const awaited = ({ nativeBalance, nativeReceivable, trustlines }: AccountView, assetId: AssetId): bigint => {
  if (assetId === 'native') return maximumStroops - nativeBalance - nativeReceivable
  const trustline = trustlines.find((each) => each.assetId === assetId)
  return trustline === undefined ? 0n : trustline.limit - trustline.balance - trustline.receivable
}
