import { AssetId, issuerOf, maximumStroops, type Stroops, stroops } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'

const xlm = decodeOrThrow(AssetId, 'native')

/** Why a wallet cannot pay. Amounts are in stroops of the asset; of XLM, `needed` holds the fee as well. */
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
 * Whether a wallet that was read with this asset can send `amount` of it and pay a fee of at most `fee` in XLM. Its reserve
 * and what it has promised to offers are not its to send. An issuer creates what it sends.
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

/** The same, of the fee alone. */
export const ensureFee = (view: AccountView, fee: Stroops): E.Either<PayerUnfit, void> =>
  ensureFunded(view, xlm, stroops(0n), fee)

/**
 * Whether a wallet can pay `fee` for a contract call that takes `amount` from it: its bid, and what the call costs. Of an
 * issued asset the simulation of the
 * call has judged what the wallet holds; of XLM it has not counted the fee.
 */
export const ensureCallFunded = (
  view: AccountView,
  assetId: AssetId,
  amount: Stroops,
  fee: Stroops,
): E.Either<PayerUnfit, void> => ensureFunded(view, xlm, stroops(assetId === 'native' ? amount : 0n), fee)

const tooLow = (assetId: AssetId, spendable: Stroops, needed: Stroops): E.Either<PayerUnfit, never> =>
  E.left({ _tag: 'PayerUnfit', because: 'balance_too_low', assetId, spendable, needed })

/** What of an asset a wallet can send beside a fee in XLM; null for one that it does not have, or may not part with. */
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
 * Whether a wallet offers to sell `bought` for `sold` itself: an exchange of `sold` for `bought` that meets its own offer
 * fails. What an offer sells is promised, and what it buys takes room.
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
