import type { MerchantId } from '@quittance/domain'
import type { Services } from '../../services/services.ts'
import { channelKeys, madeOperatorKeys, merchantOperatorKey } from '../../stores/vault/vault-signer.ts'
import type { Here } from './content-check.ts'

type HereServices = Pick<Services, 'vault' | 'readModels'>
type Named = { readonly merchantId: string }

/**
 * What the service, or any merchant but this one, has here. The keys of an import that was interrupted do not count. Names are
 * those by which a read model finds a row whatever stream it is of: the same name in two streams would hide one of them.
 */
export const othersHere =
  ({ vault, readModels }: HereServices) =>
  async (merchantId: MerchantId): Promise<Here> => {
    const kept = new Set<string>()
    for (const environment of ['testnet', 'mainnet'] as const)
      for (const key of [
        ...(await vault.keysNamed(channelKeys(environment))),
        ...(await madeOperatorKeys(vault, environment)),
      ])
        if (key !== merchantOperatorKey(environment, merchantId)) kept.add((await vault.publicKey(key)) ?? key)
    const isOthers = (found: Named | null): boolean => found !== null && found.merchantId !== merchantId
    return {
      hasAccount: async (account) =>
        kept.has(account) || (await readModels.watchedAccounts.withKey(account)).some(isOthers),
      hasNamed: async (field, value) => (await namedHere(readModels, field, value)).some(isOthers),
    }
  }

const namedHere = async (
  { apiKeys, subscriptionNames, checkoutReferences, invoiceReferences, walletOwners, creditTransactions }: HereModels,
  field: string,
  value: string,
): Promise<ReadonlyArray<Named | null>> => {
  switch (field) {
    case 'keyId':
      return [await apiKeys.withId(value)]
    case 'keyHash':
      return apiKeys.withKey(value)
    case 'mandateId':
    case 'authorizationId':
    case 'invoiceId':
      return [await subscriptionNames.withId(value)]
    case 'reference':
      return [
        await checkoutReferences.withId(value),
        await invoiceReferences.withId(value),
        ...(await subscriptionNames.withKey(value)),
      ]
    case 'walletId':
      return [await walletOwners.withId(value)]
    case 'transactionId':
      return [await creditTransactions.withId(value)]
    default:
      return []
  }
}

type HereModels = HereServices['readModels']
