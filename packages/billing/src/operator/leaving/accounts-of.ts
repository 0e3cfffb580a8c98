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
export const accountsOf = async (
  services: Pick<Services, 'vault' | 'readModels'>,
  merchantId: string,
): Promise<ReadonlyArray<MerchantAccount>> => {
  const { vault, readModels } = services
  const watched = (await readModels.merchants.withId(merchantId))?.row.watched ?? []
  return (
    await Promise.all(
      environments.map(async (environment) => {
        const scope = { merchantId, environment }
        const own = await madeSettlement(services, scope)
        const received = await Promise.all(
          watched
            .filter((each) => each.environment === environment)
            .map(async ({ account }) => {
              const keys =
                account === own?.account ? [own.key, ...(await madeRotatedKeys(vault, environment, account))] : []
              return { environment, account, holds: 'settlement' as const, keys }
            }),
        )
        const operator = await merchantOperator(services, scope)
        if (operator === null) return received
        const keys = [operator.key, ...(await madeRotatedKeys(vault, environment, operator.account))]
        return [...received, { environment, account: operator.account, holds: 'operator' as const, keys }]
      }),
    )
  ).flat()
}
