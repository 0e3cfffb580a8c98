import type { Environment, RecordedEvent, UnixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import type { Breach, Violation } from '../../stores/invariant.ts'
import { chargeBreaches } from './charge-breaches.ts'
import { moneyBreaches } from './money-breaches.ts'
import { overdue } from './overdue.ts'
import { chainBreaches, isRowFolded } from './record-breaches.ts'

/** A step takes tens of milliseconds at the most, however much there is to catch up with. */
const eventsAtOnce = 200

const dueItems = 'due items'

/**
 * Looks at the streams that have changed since the last step, and at what is due, and keeps what breaks an invariant; a
 * stream that breaks none any more is well again. Costs as much as is new, never as much as there is. `onViolation` is
 * called for each that was not known.
 */
export const watchInvariants =
  (services: Services, onViolation: (violation: Violation) => void) =>
  (environment: Environment, walkedTo: UnixMs): TE.TaskEither<ProcessFailure, void> =>
  async () => {
    const { violations, clock } = services
    const keep = (subject: string, breaches: ReadonlyArray<Breach>): void =>
      violations.set(environment, subject, breaches, clock.now()).forEach(onViolation)
    const read = await newEvents(services, environment)
    if (E.isLeft(read)) return read
    const { events, end } = read.right
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const changed = Map.groupBy(events, (event) => event.stream)
    const looked = await eachIsolated(services, environment, {
      loop: 'invariants',
      items: [...changed].map(([id, changes]) => ({ merchantId: ownerOf(changes), environment, id, changes })),
      again: (setback) => ({ ...setback, changes: [] }),
      work: async ({ id, changes }) => {
        const breaches = await breachesOf(services, id, changes)
        if (E.isRight(breaches)) keep(id, breaches.right)
        return breaches
      },
    })
    if (E.isLeft(looked)) return looked
    keep(dueItems, overdue(services, environment, walkedTo))
    violations.advance(environment, end)
    return E.right(undefined)
  }

const ownerOf = ([first]: ReadonlyArray<RecordedEvent>): string => first?.metadata.merchantId ?? platform

/** Some events behind those that were looked at; those of another environment are passed over. */
const newEvents = async (
  { store, violations }: Services,
  environment: Environment,
): Promise<E.Either<StoreUnavailable, { readonly events: ReadonlyArray<RecordedEvent>; readonly end: bigint }>> => {
  const events: Array<RecordedEvent> = []
  let end = violations.checkedTo(environment)
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

/** What was read of the log itself stands in the place of what may be remembered of it. */
const breachesOf = async (
  { store, readModels }: Services,
  stream: string,
  changes: ReadonlyArray<RecordedEvent>,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<Breach>>> => {
  const read = await store.readStream(stream)()
  if (E.isLeft(read)) return read
  const logged = new Map(changes.map((event) => [event.revision, event]))
  const events = read.right.events.map((event) => logged.get(event.revision) ?? event)
  const cut = stream.indexOf('-')
  const named = { category: stream.slice(0, cut), id: stream.slice(cut + 1) }
  const breaches = [...chainBreaches(events), ...moneyBreaches(readModels, named), ...chargeBreaches(named, events)]
  if (isRowFolded(readModels, named, events)) return E.right(breaches)
  // Somebody may have appended in between: then the stream comes by again.
  const again = await store.readStream(stream)()
  if (E.isLeft(again)) return again
  return again.right.head.revision === read.right.head.revision && !isRowFolded(readModels, named, events)
    ? E.right([...breaches, { invariant: 'rows_folded', detail: 'its row is not what its events fold to' }])
    : E.right(breaches)
}
