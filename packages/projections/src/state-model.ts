import { type Aggregate, type RecordedEvent, UnixMs, unixMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { createdAt } from './created-at.ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

const Moments = t.strict({ createdAt: UnixMs, updatedAt: UnixMs })
/** The state of a stream, when its resource was created, and when its newest event occurred. */
export type StateRow<State> = State & t.TypeOf<typeof Moments>

type Absent = { readonly status: 'absent' }
const exists = <State extends object>(state: State): state is Exclude<State, Absent> =>
  !('status' in state) || state.status !== 'absent'

type StateModel<State, Model> = Pick<ReadModel<StateRow<State>>, 'name' | 'version' | 'ids' | 'columns'> & Model

/** A read model whose row a state gives that is folded already, with its stream's events. */
export type StateReadModel<State, Row> = ReadModel<Row> & {
  /** None for a state that does not exist. */
  readonly ofState: (state: State, events: ReadonlyArray<RecordedEvent>) => O.Option<Row>
}

/**
 * A read model whose row is the state that the domain's `evolve` makes of the stream, with its moments. `pruned` leaves
 * out what would make the row grow and nothing here needs.
 */
export const stateModel = <Command, Event, State extends object, Rejection>({
  aggregate,
  record,
  pruned = (state) => state,
  ...model
}: StateModel<
  Exclude<State, Absent>,
  {
    readonly aggregate: Aggregate<Command, Event, State, Rejection>
    readonly record: t.Type<Exclude<State, Absent>, unknown>
    readonly pruned?: (state: Exclude<State, Absent>) => Exclude<State, Absent>
  }
>): StateReadModel<State, StateRow<Exclude<State, Absent>>> => {
  const { category, decider } = aggregate
  const decode = decodedBy(aggregate)
  const fold = (row: O.Option<StateRow<Exclude<State, Absent>>>, recorded: RecordedEvent) => {
    const state = decider.evolve(O.isSome(row) ? row.value : decider.initial, decode(recorded))
    if (!exists(state)) return O.none
    return O.some({
      ...pruned(state),
      createdAt: O.isSome(row) ? row.value.createdAt : createdAt(recorded),
      updatedAt: unixMs(recorded.metadata.occurredAt),
    })
  }
  const ofState = (state: State, events: ReadonlyArray<RecordedEvent>) => {
    const [first, last] = [events[0], events.at(-1)]
    if (!exists(state) || first === undefined || last === undefined) return O.none
    const updatedAt = unixMs(last.metadata.occurredAt)
    return O.some({ ...pruned(state), createdAt: createdAt(first), updatedAt })
  }
  return { ...model, category, row: t.intersection([record, Moments]), fold, ofState }
}
