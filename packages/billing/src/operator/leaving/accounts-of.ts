import type { AccountId, Environment } from '@quittance/domain'
import { madeSettlement, merchantOperator } from '../../features/outgoing/signing-accounts.ts'
import type { Services } from '../../services/services.ts'
import { madeRotatedKeys } from '../../stores/vault/vault-signer.ts'

const environments: ReadonlyArray<Environment> = ['testnet', 'mainnet']

/** An account of a merchant. `holds`: what it is for; `keys`: the vault's names of its keys, none where the merchant has them. */
export type MerchantAccount = {
  readonly environment: Environment
  readonly account: AccountId
  readonly holds: 'settlement' | 'operator'
  readonly keys: ReadonlyArray<string>
}

/** The accounts that money came to, and the operator account of the merchant's own, in all environments. */
export const accountsOf = (
  services: Pick<Services, 'vault' | 'readModels'>,
  merchantId: string,
): ReadonlyArray<MerchantAccount> => {
  const { vault, readModels } = services
  const watched = readModels.merchants.withId(merchantId)?.row.watched ?? []
  return environments.flatMap((environment) => {
    const scope = { merchantId, environment }
    const own = madeSettlement(services, scope)
    const received = watched
      .filter((each) => each.environment === environment)
      .map(({ account }) => {
        const keys = account === own?.account ? [own.key, ...madeRotatedKeys(vault, environment, account)] : []
        return { environment, account, holds: 'settlement' as const, keys }
      })
    const operator = merchantOperator(services, scope)
    if (operator === null) return received
    const keys = [operator.key, ...madeRotatedKeys(vault, environment, operator.account)]
    return [...received, { environment, account: operator.account, holds: 'operator' as const, keys }]
  })
}
