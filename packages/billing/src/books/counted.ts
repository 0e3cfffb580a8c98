import {
  type AccountId,
  type AssetId,
  type Environment,
  maximumStroops,
  type Stroops,
  stroops,
} from '@quittance/domain'
import type { Holding } from '@quittance/ledger'
import type { Found, MerchantRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { accountsOf, bookLines, native } from '../features/book-lines/book-lines.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import type { Network, Services } from '../services/services.ts'
import { type Opening, openingOf } from './reconciliation/opening.ts'
import type { BooksServices } from './services.ts'

/** An account's balance by the books. */
export type Counted = Holding & { readonly counted: Stroops }

/**
 * Counts the balances of a merchant's accounts in an environment: the opening balance and every line of the books. Each
 * account has a balance of the native asset, and of each asset that the merchant accepts, was paid in or has lost.
 */
export const countedOf = (services: BooksServices, network: Network, environment: Environment) => {
  const linesOf = bookLines(services, environment)
  return async (merchant: Found<MerchantRow>): Promise<E.Either<StoreUnavailable, ReadonlyArray<Counted>>> => {
    const accounts = accountsOf(merchant, environment)
    if (accounts.length === 0) return E.right([])
    const accepted = await acceptedBy(services, merchant.id, environment)
    if (E.isLeft(accepted)) return accepted
    const lines = await linesOf(merchant)
    if (E.isLeft(lines)) return lines

    const openings = new Map(
      accounts.map((account) => [account, openingOf(services.readModels, network, environment, account)]),
    )
    const sums = new Map(accounts.map((account) => [account, new Map<AssetId, bigint>()]))
    for (const [account, byAsset] of sums)
      for (const asset of [native, ...accepted.right]) byAsset.set(asset, openings.get(account)?.(asset) ?? 0n)
    // The account that pays a fee need not be a settlement account.
    for (const { account, assetId, delta } of lines.right.filter(isKnownFrom(openings)))
      sums.get(account)?.set(assetId, (sums.get(account)?.get(assetId) ?? 0n) + delta)
    return E.right(
      [...sums].flatMap(([account, byAsset]) =>
        [...byAsset].flatMap(([assetId, sum]) =>
          isKnownFrom(openings)({ account, assetId }) ? [line(account, assetId, sum)] : [],
        ),
      ),
    )
  }
}

/** Whether the opening balance is known: nothing else can be compared. */
const isKnownFrom =
  (openings: ReadonlyMap<AccountId, Opening>) =>
  ({ account, assetId }: Holding): boolean => {
    const opening = openings.get(account)
    return opening === undefined || opening(assetId) !== null
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
const line = (account: AccountId, assetId: AssetId, sum: bigint): Counted => ({
  account,
  assetId,
  counted: stroops(sum < 0n || sum > maximumStroops ? maximumStroops : sum),
})
