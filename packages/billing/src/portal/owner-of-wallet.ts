import type { AccountId } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { CustomerNotFound } from '../features/customers/living.ts'
import { filterInTurn } from '../kernel/checks-in-turn.ts'
import { isIn, type StoreUnavailable } from '../kernel/load.ts'
import type { PortalServices } from './services.ts'

/** Several customers have proven the wallet: one of them has to be named. */
export type WalletOfSeveral = { readonly _tag: 'WalletOfSeveral'; readonly customerIds: ReadonlyArray<string> }

/** The customer who has proven a wallet; the named one, if `named` is not null. */
export const ownerOf = async (
  { readModels, caughtUp }: Pick<PortalServices, 'readModels' | 'caughtUp'>,
  scope: Scope,
  address: AccountId,
  named: string | null,
): Promise<E.Either<StoreUnavailable | CustomerNotFound | WalletOfSeveral, string>> => {
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const linked = (await readModels.walletOwners.withKey(address)).filter((found) => isIn(scope, found))
  const hasProven = async (customerId: string) =>
    (await readModels.customers.withId(customerId))?.row.wallets.some(
      ({ wallet }) => wallet.address === address && wallet.via === 'proof',
    ) === true
  const { remaining } = readModels.customerFamily
  const proven = await filterInTurn(
    linked.map(({ row }): string => row.customerId),
    hasProven,
  )
  const owners = [...new Set(await Promise.all(proven.map(remaining)))]
  const wanted =
    named === null ? owners : await filterInTurn(owners, async (owner) => owner === (await remaining(named)))
  const [owner, ...others] = wanted
  if (owner === undefined) return E.left({ _tag: 'CustomerNotFound' })
  return others.length === 0 ? E.right(owner) : E.left({ _tag: 'WalletOfSeveral', customerIds: owners })
}
