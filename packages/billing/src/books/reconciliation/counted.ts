import { type AssetId, type Environment, maximumStroops, type Stroops, stroops } from '@quittance/domain'
import type { Holding } from '@quittance/ledger'
import type { Found, MerchantRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { accountsOf, bookLines } from '../../features/book-lines/book-lines.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Network, Services } from '../../services/services.ts'
import type { BooksServices } from '../services.ts'
import { openingOf } from './opening.ts'
import { holdingKey, holdingsOf, totals } from './sums.ts'

/** An account's balance by the books. */
export type Counted = Holding & { readonly counted: Stroops }

/**
 * Counts the balances of a merchant's accounts in an environment: the opening balance and every line of the books. Each
 * account has a balance of the native asset, and of each asset that the merchant accepts, was paid in or has lost. Without
 * a known opening balance, nothing can be compared, and there is none.
 */
export const countedOf = async (services: BooksServices, network: Network, environment: Environment) => {
  const linesOf = await bookLines(services, environment)
  return async (merchant: Found<MerchantRow>): Promise<E.Either<StoreUnavailable, ReadonlyArray<Counted>>> => {
    const accounts = accountsOf(merchant, environment)
    if (accounts.length === 0) return E.right([])
    const accepted = await acceptedBy(services, merchant.id, environment)
    if (E.isLeft(accepted)) return accepted
    const lines = await linesOf(merchant)
    if (E.isLeft(lines)) return lines
    const sums = totals(lines.right)
    const counted = (
      await Promise.all(
        accounts.map(async (account) => {
          const openingBalance = await openingOf(services.readModels, network, environment, account)
          const acceptedHere = accepted.right.map((assetId) => ({ account, assetId }))
          return holdingsOf([account], [...acceptedHere, ...lines.right]).flatMap((holding) => {
            const opening = openingBalance(holding.assetId)
            return opening === null ? [] : [count(holding, opening + (sums.get(holdingKey(holding)) ?? 0n))]
          })
        }),
      )
    ).flat()
    return E.right(counted)
  }
}

/** The assets that a merchant accepts now; none if it is not ready. */
const acceptedBy = async (
  { settlementOf }: Pick<Services, 'settlementOf'>,
  merchantId: string,
  environment: Environment,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<AssetId>>> => {
  const settlement = await settlementOf(merchantId, environment)()
  if (E.isRight(settlement)) return E.right(settlement.right.accepted.map(({ assetId }) => assetId))
  return settlement.left._tag === 'StoreUnavailable' ? E.left(settlement.left) : E.right([])
}

/** A sum that no account can hold counts as the maximum, so that books and ledger differ for certain. */
const count = (holding: Holding, sum: bigint): Counted => ({
  ...holding,
  counted: stroops(sum < 0n || sum > maximumStroops ? maximumStroops : sum),
})
