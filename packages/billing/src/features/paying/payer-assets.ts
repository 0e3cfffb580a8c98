import { type AccountId, type AssetId, assetCode, decimalFromStroops, issuerOf, type Stroops } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { ensureUnlisted } from '../../services/holding.ts'
import { networkOf } from '../../services/services.ts'
import { balanceIn } from './build-transaction.ts'
import { acceptable, type PricedPath, pricedPaths } from './path-price.ts'
import type { PayFailure } from './pay.ts'
import { accountAt, type PayableSession, payableSession } from './payable-session.ts'
import type { PayerServices } from './services.ts'

/** The most assets in one request to the path finder. */
const mostAssets = 15

/**
 * The assets with which an account can pay the amount due: those that it holds among the merchant's accepted assets,
 * the network's common assets, and `others`. A node cannot list an account's trustlines, so no further assets are
 * found.
 */
export const payerAssets = async (
  services: PayerServices,
  id: string,
  account: AccountId,
  others: ReadonlyArray<AssetId> = [],
): Promise<E.Either<PayFailure, ReadonlyArray<PayerAsset>>> => {
  const due = await payableSession(services, id)
  if (E.isLeft(due)) return due
  const unlisted = await ensureUnlisted(services, [account])
  if (E.isLeft(unlisted)) return unlisted
  const { session, assetId: dueAsset } = due.right
  const { merchantId, environment } = session.found
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const { paths } = network.right
  const settlement = await services.settlementOf(merchantId, environment)()
  if (E.isLeft(settlement)) return settlement
  const known = [...settlement.right.accepted, ...(paths?.assets ?? [])]
  const named = new Set([dueAsset, ...others, ...known.map(({ assetId }) => assetId)])
  const looked = [...named].slice(0, mostAssets)
  const view = await accountAt(network.right, account, looked)
  if (E.isLeft(view)) return view
  const balances = positiveBalances(looked, view.right)
  const sendAssets = balances.map(({ assetId }) => assetId).filter((assetId) => assetId !== dueAsset)
  const priced =
    paths === null
      ? E.right([])
      : await pricedPaths(paths, known, due.right, sendAssets, services.clock.now(environment))
  if (E.isLeft(priced)) return priced
  return E.right(balances.map((each) => render(each, due.right, priced.right)))
}

type AssetBalance = { readonly assetId: AssetId; readonly balance: Stroops }

const positiveBalances = (assets: ReadonlyArray<AssetId>, view: AccountView): ReadonlyArray<AssetBalance> =>
  assets.flatMap((assetId) => {
    const balance = balanceIn(view, assetId)
    return balance === null || balance === 0n ? [] : [{ assetId, balance }]
  })

/** A path without a known rate is usable too: the payer accepts its `send_max` when paying. */
const usable = (assetId: AssetId, path: PricedPath | undefined): PricedPath | null =>
  path === undefined ? null : E.getOrElseW(() => null)(acceptable(assetId, path, path.sendMax))

const render = ({ assetId, balance }: AssetBalance, due: PayableSession, priced: ReadonlyArray<PricedPath>) => {
  const isSettlementAsset = assetId === due.assetId
  const path = usable(
    assetId,
    priced.find(({ offer }) => offer.sendAsset === assetId),
  )
  const [amount, most] = isSettlementAsset ? [due.amount, due.amount] : [path?.offer.sendAmount, path?.sendMax]
  return {
    asset_id: assetId,
    code: assetCode(assetId),
    issuer: issuerOf(assetId),
    balance: decimalFromStroops(balance),
    send_amount: amount === undefined ? null : decimalFromStroops(amount),
    send_max: most === undefined ? null : decimalFromStroops(most),
    path_available: isSettlementAsset || path !== null,
    is_price_checked: isSettlementAsset || (path !== null && path.highest !== null),
    is_settlement_asset: isSettlementAsset,
  }
}
export type PayerAsset = ReturnType<typeof render>
