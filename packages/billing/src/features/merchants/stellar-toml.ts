import type { AssetId } from '@quittance/domain'
import { type SignerUnavailable, writeStellarToml } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { deploymentTime } from '../../kernel/clock.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { proofKey, requestKey } from '../../stores/vault/vault-signer.ts'
import type { MerchantServices } from './services.ts'

/** The most accounts in the document, which keeps it within the standard's 100 KiB: the first ones are listed. */
const [mostAccounts, mostCurrencies] = [1_000, 200]
const keptMs = 60_000

/**
 * The stellar.toml of the service's domain (SEP-1): the network (the mainnet if configured), the merchants' accounts on
 * it, their accepted assets, and the keys that sign payment requests and challenges. It is rebuilt once a minute.
 */
export const stellarToml = (
  services: MerchantServices,
): TE.TaskEither<StoreUnavailable | SignerUnavailable, string> => {
  let kept: { readonly text: string; readonly until: number } | null = null
  return async () => {
    const now = deploymentTime(services.clock)
    if (kept !== null && now < kept.until) return E.right(kept.text)
    const text = await written(services)
    if (E.isRight(text)) kept = { text: text.right, until: now + keptMs }
    return text
  }
}

const written = async (services: MerchantServices): Promise<E.Either<StoreUnavailable | SignerUnavailable, string>> => {
  const { networks, readModels, settlementOf, vault } = services
  const environment = networks.mainnet === null ? 'testnet' : 'mainnet'
  const currencies = new Set<AssetId>()
  const accounts = (await readModels.merchants.all())
    .flatMap(({ id, row }) => row.watched.map((each) => ({ ...each, merchantId: id })))
    .filter((each) => each.environment === environment)
    .slice(0, mostAccounts)
  for (const merchantId of new Set(accounts.map((each) => each.merchantId))) {
    const settlement = await settlementOf(merchantId, environment)()
    if (E.isRight(settlement)) for (const { assetId } of settlement.right.accepted) currencies.add(assetId)
    else if (settlement.left._tag === 'StoreUnavailable') return E.left(settlement.left)
  }
  const signingKey = await vault.createKey(proofKey(environment))()
  if (E.isLeft(signingKey)) return signingKey
  const uriRequestSigningKey = await vault.createKey(requestKey)()
  if (E.isLeft(uriRequestSigningKey)) return uriRequestSigningKey
  return E.right(
    writeStellarToml({
      networkPassphrase: networks[environment]?.gateway.networkPassphrase ?? null,
      accounts: accounts.map(({ account }) => account),
      signingKey: signingKey.right,
      uriRequestSigningKey: uriRequestSigningKey.right,
      currencies: [...currencies].filter((assetId) => assetId !== 'native').slice(0, mostCurrencies),
    }),
  )
}
