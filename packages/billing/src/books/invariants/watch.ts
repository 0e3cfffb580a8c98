import type { Environment, RecordedEvent, UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { eachIsolated, type IsolationServices } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { Breach, Violation } from '../../stores/invariant.ts'
import { chargeBreaches } from './charge-breaches.ts'
import { moneyBreaches } from './money-breaches.ts'
import { overdue } from './overdue.ts'
import { chainBreaches, isRowFolded } from './record-breaches.ts'

/** Bounds a step to tens of milliseconds, however many events are new. */
const eventsAtOnce = 200

const dueItems = 'due items'

type WatchServices = IsolationServices & Pick<Services, 'violations' | 'awaitingRate'>

/**
 * Checks the streams that have changed since the last step, and the due items, and keeps their violations; those of a stream
 * that breaks no invariant any more are over. Costs as much as is new. Calls `onViolation` for each new one.
 */
export const watchInvariants = async (
  services: WatchServices,
  environment: Environment,
  ingestedTo: UnixMs,
  onViolation: (violation: Violation) => void,
): Promise<E.Either<ProcessFailure, void>> => {
  const { violations, clock } = services
  const keep = async (subject: string, breaches: ReadonlyArray<Breach>): Promise<void> =>
    (await violations.set(environment, subject, breaches, clock.now(environment))).forEach(onViolation)
  const read = await newEvents(services, environment)
  if (E.isLeft(read)) return read
  const { events, end } = read.right
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const changed = Map.groupBy(events, (event) => event.stream)
  const checked = await eachIsolated(services, environment, {
    loop: 'invariants',
    items: [...changed].map(([id, changes]) => ({ merchantId: ownerOf(changes), environment, id, changes })),
    again: async (setback) => ({ ...setback, changes: [] }),
    work: async ({ id, changes }) => {
      const breaches = await breachesOf(services, id, changes)
      if (E.isRight(breaches)) await keep(id, breaches.right)
      return breaches
    },
  })
  if (E.isLeft(checked)) return checked
  await keep(dueItems, await overdue(services, environment, ingestedTo))
  await violations.advance(environment, end)
  return E.right(undefined)
}

const ownerOf = ([first]: ReadonlyArray<RecordedEvent>): string => first?.metadata.merchantId ?? platform

/** The next events after the checked ones, without those of other environments. */
const newEvents = async (
  { store, violations }: Pick<Services, 'store' | 'violations'>,
  environment: Environment,
): Promise<E.Either<StoreUnavailable, { readonly events: ReadonlyArray<RecordedEvent>; readonly end: bigint }>> => {
  const events: Array<RecordedEvent> = []
  let end = await violations.checkedTo(environment)
  let read = 0
  try {
    for await (const event of store.readAll(end)) {
      if (event.metadata.environment === environment) events.push(event)
      end = event.position
      if (++read >= eventsAtOnce) break
    }
  } catch (cause) {
    return E.left({ _tag: 'StoreUnavailable', cause })
  }
  return E.right({ events, end })
}

/** Checks the events that were read from the log itself in the place of those that the store may remember. */
const breachesOf = async (
  { store, readModels }: Pick<Services, 'store' | 'readModels'>,
  stream: string,
  changes: ReadonlyArray<RecordedEvent>,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<Breach>>> => {
  const read = await store.readStream(stream)()
  if (E.isLeft(read)) return read
  const logged = new Map(changes.map((event) => [event.revision, event]))
  const events = read.right.events.map((event) => logged.get(event.revision) ?? event)
  const cut = stream.indexOf('-')
  const named = { category: stream.slice(0, cut), id: stream.slice(cut + 1) }
  const breaches = [
    ...chainBreaches(events),
    ...(await moneyBreaches(readModels, named)),
    ...chargeBreaches(named, events),
  ]
  if (await isRowFolded(readModels, named, events)) return E.right(breaches)
  // If somebody has appended in between, the stream comes up again.
  const again = await store.readStream(stream)()
  if (E.isLeft(again)) return again
  return again.right.head.revision === read.right.head.revision && !(await isRowFolded(readModels, named, events))
    ? E.right([...breaches, { invariant: 'rows_folded', detail: 'its row is not what its events fold to' }])
    : E.right(breaches)
}
