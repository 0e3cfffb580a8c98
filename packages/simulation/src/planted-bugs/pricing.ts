import type { Network } from '@quittance/billing'
import { dayMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { PlantedBug } from '../stage.ts'

/** Gives the quote of a price again for a day. */
const rememberQuotes: PlantedBug = (services) => {
  const { testnet } = services.networks
  if (testnet === null) return services
  const remembered = new Map<string, { readonly at: number; readonly quoted: ReturnType<Network['quote']> }>()
  const quote: Network['quote'] = (price, asset, at) => async () => {
    const key = `${asset.assetId} ${price._tag === 'fiat' ? price.cents : price.stroops}`
    const known = remembered.get(key)
    if (known !== undefined && at < known.at + dayMs) return known.quoted()
    const quoted = await testnet.quote(price, asset, at)()
    if (E.isRight(quoted)) remembered.set(key, { at, quoted: async () => quoted })
    return quoted
  }
  return { ...services, networks: { ...services.networks, testnet: { ...testnet, quote } } }
}

/** Bugs in prices. */
export const pricingBugs: Readonly<Record<string, PlantedBug>> = {
  'a quote is given again for a day': rememberQuotes,
}
