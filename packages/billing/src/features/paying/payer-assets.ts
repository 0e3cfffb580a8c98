import { type AccountId, type AssetId, assetCode, decimalFromStroops, issuerOf, type Stroops } from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { networkOf, type Services } from '../../services/services.ts'
import { balanceIn } from './build-transaction.ts'
import { acceptable, type PricedPath, pricedPaths } from './path-price.ts'
import type { PayFailure } from './pay.ts'
import { accountAt, type PayableSession, payableSession } from './payable-session.ts'

/** A finder is asked about no more assets at once. */
const mostAssets = 15

/**
 * With which assets an account can pay what is due: of those that the merchant takes, that payers often hold, and that
 * `others` names, the ones it holds. A node cannot list an account's trustlines, so no others are found.
 */
export const payerAssets =
  (services: Services) =>
  (
    id: string,
    account: AccountId,
    others: ReadonlyArray<AssetId> = [],
  ): TE.TaskEither<PayFailure, ReadonlyArray<PayerAsset>> =>
    pipe(
      payableSession(services)(id),
      TE.bindTo('due'),
      TE.bindW('network', ({ due }) => TE.fromEither(networkOf(services, due.session.found.environment))),
      TE.bindW('settlement', ({ due: { session } }) =>
        services.settlementOf(session.found.merchantId, session.found.environment),
      ),
      TE.let('known', ({ network, settlement }) => [...settlement.accepted, ...(network.paths?.assets ?? [])]),
      TE.let('asked', ({ due, known }): ReadonlyArray<AssetId> => {
        const named = [due.assetId, ...others, ...known.map(({ assetId }) => assetId)]
        return [...new Set(named)].slice(0, mostAssets)
      }),
      TE.bindW('view', ({ network, asked }) => accountAt(network, account, asked)),
      TE.let('held', ({ asked, view }) => heldOf(asked, view)),
      TE.bindW('priced', ({ due, network: { paths }, known, held }) =>
        paths === null
          ? TE.right([])
          : pricedPaths(
              paths,
              known,
              due,
              held.map(({ assetId }) => assetId).filter((assetId) => assetId !== due.assetId),
              services.clock.now(),
            ),
      ),
      TE.map(({ due, held, priced }) => held.map((each) => render(each, due, priced))),
    )

type Held = { readonly assetId: AssetId; readonly balance: Stroops }

const heldOf = (asked: ReadonlyArray<AssetId>, view: AccountView): ReadonlyArray<Held> =>
  asked.flatMap((assetId) => {
    const balance = balanceIn(view, assetId)
    return balance === null || balance === 0n ? [] : [{ assetId, balance }]
  })

/** A way that only its owner can judge is one too: they agree to its `send_max` where they pay. */
const usable = (assetId: AssetId, path: PricedPath | undefined): PricedPath | null =>
  path === undefined ? null : E.getOrElseW(() => null)(acceptable(assetId, path, path.sendMax))

const render = ({ assetId, balance }: Held, due: PayableSession, priced: ReadonlyArray<PricedPath>) => {
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
