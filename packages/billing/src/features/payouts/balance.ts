import { AssetId, assetCode, decimalFromStroops } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { bookId } from '../../kernel/payout-book.ts'
import type { Services } from '../../services/services.ts'
import { type ObserveFailure, observeFunds, positive } from './funds.ts'
import type { PayoutServices } from './services.ts'

/** What a settlement account has of an asset, in units of it. */
export type BalanceResource = {
  readonly object: 'balance'
  readonly asset_id: AssetId
  readonly code: string
  readonly ledger: string
  readonly available: string
  readonly held: string
  readonly in_flight: string
  readonly environment: Scope['environment']
}

export const balanceOf = async (
  services: PayoutServices,
  scope: Scope,
): Promise<E.Either<ObserveFailure, ReadonlyArray<BalanceResource>>> => {
  const settlement = await services.settlementOf(scope.merchantId, scope.environment)()
  if (E.isLeft(settlement)) return settlement
  const assets = [
    ...new Set([decodeOrThrow(AssetId, 'native'), ...settlement.right.accepted.map(({ assetId }) => assetId)]),
  ]
  await services.caughtUp.withOwnWrites(scope.merchantId)
  const inFlight = new Map(assets.map((assetId) => [assetId, claimedOf(services, scope, assetId)]))
  const funds = await observeFunds(services, scope, assets)
  if (E.isLeft(funds)) return funds
  return E.right(
    assets.map((assetId) => {
      const { ledger, held, spendable } = funds.right.of(assetId)
      const claimed = inFlight.get(assetId) ?? 0n
      return {
        object: 'balance' as const,
        asset_id: assetId,
        code: assetCode(assetId),
        ledger: decimalFromStroops(ledger),
        available: decimalFromStroops(positive(spendable - claimed)),
        held: decimalFromStroops(held),
        in_flight: decimalFromStroops(positive(claimed)),
        environment: scope.environment,
      }
    }),
  )
}

const claimedOf = ({ readModels }: Pick<Services, 'readModels'>, scope: Scope, assetId: AssetId): bigint =>
  (readModels.payoutClaims.withId(bookId(scope, assetId))?.row.claims ?? []).reduce(
    (sum, { details }) => sum + details.amount,
    0n,
  )
