import type { Environment } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { severalAtOnce } from '../../kernel/several-at-once.ts'
import { eachIsolated, setBack } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Share } from '../../stores/parked/share.ts'
import type { ParkingServices } from './services.ts'

/** Does everything that follows from a share. Placing it again writes nothing twice. */
export type PlaceShare = (share: Share) => Promise<E.Either<ProcessFailure, unknown>>

/** How many shares of a ledger are placed side by side: each is another merchant's. */
const sharesAtOnce = 4

/** How many parked shares are placed in one step. */
const mostOfQueue = 200

/**
 * Places the shares of a ledger. One that fails is parked, and so is each behind it in its queue, until `placeParked`
 * has placed those before it: the cursor may move past the ledger once this has succeeded. It fails with a failure that
 * concerns everybody, or if a share can be neither placed nor parked: then the cursor stays. The smallest come first, so
 * that a flood of one merchant's payments is in nobody's way.
 */
export const placeOrPark =
  (services: ParkingServices, environment: Environment, place: PlaceShare) =>
  (shares: ReadonlyArray<Share>): Promise<E.Either<ProcessFailure, void>> =>
    severalAtOnce(shares.toSorted(bySize), sharesAtOnce, async (share) => {
      const { parked } = services
      if (await parked.isWaiting(environment, share.queue)) {
        await parked.add(share)
        return E.right(undefined)
      }
      return setBack(services, environment, { loop: 'ledger', item: queueOf(share), work: () => place(share) }, () =>
        parked.add(share),
      )
    })

/**
 * Places parked shares, each queue in its order, as far as possible now. Answers whether more can be placed at once.
 */
export const placeParked = async (
  services: ParkingServices,
  environment: Environment,
  place: PlaceShare,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { parked } = services
  let isMore = false
  const placed = await eachIsolated(services, environment, {
    loop: 'ledger',
    items: await parked.queues(environment),
    again: async () => null,
    work: async ({ id }) => {
      for (let count = 0; count < mostOfQueue; count++) {
        const share = await parked.first(environment, id)
        if (share === null) return E.right(undefined)
        const done = await place(share)
        if (E.isLeft(done)) return done
        await parked.remove(share)
      }
      isMore = true
      return E.right(undefined)
    },
  })
  return E.map(() => isMore)(placed)
}

const sizeOf = ({ credits, movements }: Share): number => credits.length + movements.length
const bySize = (one: Share, other: Share): number => sizeOf(one) - sizeOf(other)

const queueOf = ({ merchantId, environment, queue }: Share) => ({ merchantId, environment, id: queue })
