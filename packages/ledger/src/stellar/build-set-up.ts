import type { AccountId, AssetId } from '@quittance/domain'
import { Operation, type xdr } from '@stellar/stellar-sdk'
import { sdkAsset } from './assets.ts'
import { PAYOUTS_AT_ONCE } from './build-payouts.ts'
import { type TransactionFrame, type UnsignedTransaction, withoutMemo } from './unsigned-transaction.ts'

/** A trustline to set without a limit of its own, or to remove. */
export type TrustlineChange = { readonly assetId: AssetId; readonly limit: 'maximum' | 'remove' }

/**
 * The changes to an account. A `sponsor` keeps the reserves of created entries (CAP-33) and pays for nothing else. A
 * created account holds no lumens.
 */
export type SetUp =
  | {
      readonly _tag: 'trustlines'
      readonly sponsor: AccountId | null
      readonly changes: ReadonlyArray<TrustlineChange>
    }
  | { readonly _tag: 'account'; readonly sponsor: AccountId }

/**
 * `sourceAccount` lends `nextAccountSequence` and pays the fee. It signs, and so do `account` and the sponsor, if any.
 */
export type SetUpOrder = Omit<TransactionFrame, 'accountSequence' | 'memoText'> & {
  readonly nextAccountSequence: bigint
  readonly account: AccountId
  readonly setUp: SetUp
}

/**
 * Builds a transaction that sets an account up. Without a sponsor, change n is operation n. With one, two more
 * operations around them begin and end its sponsorship.
 * Throws for no change, and for more than fit: the caller's bug.
 */
export const buildSetUp = (order: SetUpOrder): UnsignedTransaction => {
  const operations = operationsOf(order)
  if (operations.length < 1 || operations.length > PAYOUTS_AT_ONCE)
    throw new RangeError(`no transaction holds ${operations.length} operations`)
  return withoutMemo(order, operations)
}

const operationsOf = ({ account, setUp }: SetUpOrder): ReadonlyArray<xdr.Operation> => {
  switch (setUp._tag) {
    case 'account': {
      const { sponsor } = setUp
      const creation = Operation.createAccount({ source: sponsor, destination: account, startingBalance: '0' })
      return sponsored(sponsor, account, [creation])
    }
    case 'trustlines': {
      const changes = setUp.changes.map(({ assetId, limit }) =>
        Operation.changeTrust({
          source: account,
          asset: sdkAsset(assetId),
          ...(limit === 'remove' ? { limit: '0' } : {}),
        }),
      )
      return setUp.sponsor === null ? changes : sponsored(setUp.sponsor, account, changes)
    }
  }
}

/** Operations whose new reserves a sponsor keeps: two more around them. */
export const sponsored = (
  sponsor: AccountId,
  account: AccountId,
  operations: ReadonlyArray<xdr.Operation>,
): ReadonlyArray<xdr.Operation> => [
  Operation.beginSponsoringFutureReserves({ source: sponsor, sponsoredId: account }),
  ...operations,
  Operation.endSponsoringFutureReserves({ source: account }),
]
