import type { Network, Services } from '@quittance/billing'
import { skippedShareId } from '@quittance/billing/testing/internals'
import { type Environment, TransactionHash } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
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

type Parked = Services['parked']
type Share = Parameters<Parked['add']>[0]

/** Puts each share of a ledger off, and places them as `changed` says once the step has ingested its ledgers. */
const puttingOff =
  (changed: (parked: Parked) => Parked): PlantedBug =>
  (services) => {
    const { logStanding } = services
    const parked = changed(services.parked)
    let isIngesting = false
    return {
      ...services,
      logStanding: {
        ...logStanding,
        check: (isLast) => {
          isIngesting = true
          return logStanding.check(isLast)
        },
      },
      parked: {
        ...parked,
        isWaiting: async (environment, queue) => isIngesting || (await parked.isWaiting(environment, queue)),
        queues: (environment) => {
          isIngesting = false
          return parked.queues(environment)
        },
      },
    }
  }

/** Places each payment by itself, however many a ledger holds. */
const sumNothing = puttingOff((parked) => {
  const originals = new WeakMap<object, Share>()
  return {
    ...parked,
    first: async (environment, queue) => {
      const share = await parked.first(environment, queue)
      if (share === null) return null
      const single = {
        ...share,
        id: skippedShareId(decoded(TransactionHash, share.sequence.toString().padStart(64, '0'))),
      }
      originals.set(single, share)
      return single
    },
    remove: (share) => parked.remove(originals.get(share) ?? share),
  }
})

/** Places the payments of the merchant first that has the most. */
const mostFirst = puttingOff((parked) => {
  const sizeOf = async (environment: Environment, queue: string): Promise<number> =>
    (await parked.first(environment, queue))?.credits.length ?? 0
  return {
    ...parked,
    queues: async (environment) => {
      const queues = await parked.queues(environment)
      const sized = await Promise.all(
        queues.map(async (queue) => ({ queue, size: await sizeOf(environment, queue.id) })),
      )
      return sized.toSorted((one, other) => other.size - one.size).map(({ queue }) => queue)
    },
  }
})

/** Bugs in what floods do to others. */
export const marketBugs: Readonly<Record<string, PlantedBug>> = {
  'payments of a flood are recorded singly': sumNothing,
  'the merchant with the most payments goes first': mostFirst,
}
