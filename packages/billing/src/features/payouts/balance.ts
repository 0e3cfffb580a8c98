import { AssetId, assetCode, decimalFromStroops, feesOwed, PayoutBook, type PayoutBookState } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { bookId } from '../../kernel/payout-book.ts'
import type { Services } from '../../services/services.ts'
import { type ObserveFailure, observeFunds, positive } from './funds.ts'
import type { PayoutServices } from './services.ts'

/** What a settlement account has of an asset, in units of it. `platform_fees`: owed to the operator, and not on its way. */
export type BalanceResource = {
  readonly object: 'balance'
  readonly asset_id: AssetId
  readonly code: string
  readonly ledger: string
  readonly available: string
  readonly held: string
  readonly in_flight: string
  readonly platform_fees: string
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
  const books = new Map(
    await Promise.all(assets.map(async (assetId) => [assetId, await bookOf(services, scope, assetId)] as const)),
  )
  const funds = await observeFunds(services, scope, assets)
  if (E.isLeft(funds)) return funds
  return E.right(
    assets.map((assetId) => {
      const { ledger, held, spendable, bookedFees } = funds.right.of(assetId)
      const book = books.get(assetId) ?? PayoutBook.decider.initial
      const claimed = book.claims.reduce((sum, { details }) => sum + details.amount, 0n)
      const owed = positive(feesOwed(book, bookedFees))
      return {
        object: 'balance' as const,
        asset_id: assetId,
        code: assetCode(assetId),
        ledger: decimalFromStroops(ledger),
        available: decimalFromStroops(positive(spendable - claimed - owed)),
        held: decimalFromStroops(held),
        in_flight: decimalFromStroops(positive(claimed)),
        platform_fees: decimalFromStroops(owed),
        environment: scope.environment,
      }
    }),
  )
}

const bookOf = async (
  { readModels }: Pick<Services, 'readModels'>,
  scope: Scope,
  assetId: AssetId,
): Promise<PayoutBookState> =>
  (await readModels.payoutClaims.withId(bookId(scope, assetId)))?.row ?? PayoutBook.decider.initial
