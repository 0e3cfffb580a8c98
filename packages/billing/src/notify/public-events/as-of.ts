import type { RecordedEvent } from '@quittance/domain'
import type { Found, PublicEvent, ReadModel } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { rowFrom, type StoreUnavailable } from '../../kernel/load.ts'
import type { Reads } from '../../resources/scopes.ts'
import type { Services } from '../../services/services.ts'

/** The events of a public event's own stream, up to the one that gives it. */
export type History = ReadonlyArray<RecordedEvent>

/** Renders the data of a public event from its resource. */
export type Renderer<Data> = (
  publicEvent: PublicEvent,
  history: History,
  reads: Reads,
) => Promise<E.Either<StoreUnavailable, Data>>

/** A stream as it was at a public event: its events up to that position of the log. */
export const streamAsOf = async (
  { store }: Pick<Services, 'store'>,
  stream: string,
  { position }: PublicEvent,
): Promise<E.Either<StoreUnavailable, History>> => {
  const slice = await store.readStream(stream)()
  return E.isLeft(slice) ? slice : E.right(slice.right.events.filter((event) => event.position <= position))
}

export const historyOf = (
  services: Pick<Services, 'store'>,
  publicEvent: PublicEvent,
): Promise<E.Either<StoreUnavailable, History>> => streamAsOf(services, publicEvent.stream, publicEvent)

/** Renders from the public event's own stream alone. */
export const fromStream =
  <Data>(show: (publicEvent: PublicEvent, history: History, reads: Reads) => Data | Promise<Data>): Renderer<Data> =>
  async (...event) =>
    E.right(await show(...event))

/** The row of a resource that existed then. */
export const rowOf = <Row>(model: ReadModel<Row>, id: string, events: History): Found<Row> => {
  const row = rowFrom(model, id, events)
  if (O.isSome(row)) return row.value
  throw new Error(`${model.category}-${id} has a public event and no row`)
}

/** The id in the name of a public event's stream. */
export const idIn = ({ stream }: PublicEvent): string => stream.slice(stream.indexOf('-') + 1)

/** The last event, which gave the public event. */
export const lastOf = (events: History): RecordedEvent => {
  const last = events.at(-1)
  if (last !== undefined) return last
  throw new Error('a public event without an event in the log')
}
