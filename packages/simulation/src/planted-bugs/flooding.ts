import type { Network } from '@quittance/billing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PlantedBug } from '../stage.ts'

/** What is quoted to compare an asset with the fee of a return. */
const comparedCents = 10_000n

/** Does not find out what small amounts are worth, so that they go back. */
const valueNothing: PlantedBug = (services) => {
  const { testnet } = services.networks
  if (testnet === null) return services
  const unavailable = {
    _tag: 'RateUnavailable',
    pair: 'none',
    reason: 'SourceUnreachable',
    cause: 'a bug',
  } as const
  const quote: Network['quote'] = (price, asset, at) =>
    price._tag === 'fiat' && price.cents === comparedCents ? TE.left(unavailable) : testnet.quote(price, asset, at)
  return { ...services, networks: { ...services.networks, testnet: { ...testnet, quote } } }
}

/** A bug in what becomes of floods. */
export const floodBugs: Readonly<Record<string, PlantedBug>> = {
  'dust goes back': valueNothing,
}
