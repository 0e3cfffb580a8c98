import {
  type AccountId,
  AssetId,
  type CheckoutId,
  type Credit,
  type Environment,
  maximumStroops,
  type Stroops,
  stroops,
} from '@quittance/domain'
import type { Holding } from '@quittance/ledger'
import { checkouts, type Found, type MerchantRow, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { decodeOrThrow } from '../decode.ts'
import { retrieveAnywhere, type StoreUnavailable } from '../load.ts'
import type { AwaitingCredit } from '../processes/awaiting-rate.ts'
import { creditName } from '../processes/credit-name.ts'
import type { Network, Services } from '../services.ts'
import { everyRow } from './every-row.ts'
import { paidOut } from './paid-out.ts'

const native = decodeOrThrow(AssetId, 'native')

/** What the books know that an account holds. */
export type Counted = Holding & { readonly counted: Stroops }

type Movement = Pick<Credit, 'transactionHash' | 'operationIndex' | 'ordinal' | 'assetId' | 'amount'> & {
  readonly checkoutId: CheckoutId | null
}

/**
 * What the books know of the balances of a merchant's accounts in an environment: the credits of its payments, those that
 * fit nowhere or wait for a rate, and what the account was set up with, less what was paid out of it. A merchant's accounts
 * have a line for the native asset and each that the merchant accepts or was paid in.
 */
export const countedOf = (services: Services, { setUpBalance }: Network, environment: Environment) => {
  const waiting = services.awaitingRate.of(environment)
  return async ({
    id: merchantId,
    row,
  }: Found<MerchantRow>): Promise<E.Either<StoreUnavailable, ReadonlyArray<Counted>>> => {
    const accounts = row.watched.filter((each) => each.environment === environment).map(({ account }) => account)
    const newest = accounts.at(-1)
    if (newest === undefined) return E.right([])
    const settlement = await services.settlementOf(merchantId, environment)()
    if (E.isLeft(settlement) && settlement.left._tag === 'StoreUnavailable') return E.left(settlement.left)
    const accepted = E.isLeft(settlement) ? [] : settlement.right.accepted.map(({ assetId }) => assetId)

    const sums = new Map(accounts.map((account) => [account, new Map<AssetId, bigint>([[native, setUpBalance]])]))
    for (const byAsset of sums.values()) for (const asset of accepted) byAsset.set(asset, byAsset.get(asset) ?? 0n)
    for (const movement of movementsOf(services, { merchantId, environment }, waiting)) {
      const account = accounts.length === 1 ? E.right(newest) : await paidAt(services, movement, newest)
      if (E.isLeft(account)) return account
      const byAsset = sums.get(account.right) ?? new Map<AssetId, bigint>()
      byAsset.set(movement.assetId, (byAsset.get(movement.assetId) ?? 0n) + movement.amount)
      sums.set(account.right, byAsset)
    }
    for (const { account, assetId, amount } of paidOut(services, { merchantId, environment })) {
      const byAsset = sums.get(account)
      byAsset?.set(assetId, (byAsset.get(assetId) ?? 0n) - amount)
    }
    return E.right(
      [...sums].flatMap(([account, byAsset]) => [...byAsset].map(([assetId, sum]) => line(account, assetId, sum))),
    )
  }
}

/** What no account can hold counts as the most that one can: then books and ledger differ for certain. */
const line = (account: AccountId, assetId: AssetId, sum: bigint): Counted => ({
  account,
  assetId,
  counted: stroops(sum < 0n || sum > maximumStroops ? maximumStroops : sum),
})

/** Each credit once: one that is too little for its session is named by a payment and by an exception. */
function* movementsOf(
  { readModels }: Services,
  scope: Scope,
  waiting: ReadonlyArray<AwaitingCredit>,
): Generator<Movement> {
  const seen = new Set<string>()
  const isNew = (movement: Movement): boolean => {
    const name = creditName(scope, movement)
    return !seen.has(name) && seen.add(name).has(name)
  }
  for (const { row } of everyRow(readModels.payments.page, scope))
    yield* row.credits.map((credit) => ({ ...credit, checkoutId: row.details.checkoutId })).filter(isNew)
  // An excess is a part of a credit that its payment names.
  for (const { row } of everyRow(readModels.exceptions.page, scope))
    if (row.details.kind !== 'overpaid' && isNew(row.details)) yield row.details
  for (const { merchantId, credit, checkoutId } of waiting)
    if (merchantId === scope.merchantId && isNew({ ...credit, checkoutId })) yield { ...credit, checkoutId }
}

/** The account that a checkout is paid at; what no checkout names counts for the newest account. */
const paidAt = async (
  { store }: Services,
  { checkoutId }: Movement,
  newest: AccountId,
): Promise<E.Either<StoreUnavailable, AccountId>> => {
  if (checkoutId === null) return E.right(newest)
  const found = await retrieveAnywhere(store)(checkouts, checkoutId)()
  return E.map(
    O.match(
      () => newest,
      ({ row }: { row: { details: { destination: AccountId } } }) => row.details.destination,
    ),
  )(found)
}
