import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Ending } from './ending.ts'

/**
 * Fails once another process has completed the reset: what lives now is of the next epoch. A process that reads, then
 * calls this, and then writes only over what it has read ends nothing of that epoch, however slow it is: the process that
 * completed the reset has changed everything that there was to end.
 */
export const ensureUnderWay = async ({
  services: { epochs },
  environment,
  epoch,
}: Pick<Ending, 'services' | 'environment' | 'epoch'>): Promise<E.Either<StoreUnavailable, void>> => {
  const state = await epochs.of(environment)
  if (E.isLeft(state)) return state
  return state.right.resetUnderWay?.epoch === epoch
    ? E.right(undefined)
    : E.left({ _tag: 'StoreUnavailable', cause: `reset ${epoch} of ${environment} is not under way any more` })
}

/** The reset's own view of the services: it appends nothing once the reset is over. */
export const fenced = (ending: Ending): Ending => {
  const { services } = ending
  const store: EventStore = {
    ...services.store,
    append:
      (...request) =>
      async () => {
        const underWay = await ensureUnderWay(ending)
        return E.isLeft(underWay) ? underWay : services.store.append(...request)()
      },
  }
  return { ...ending, services: { ...services, store } }
}
