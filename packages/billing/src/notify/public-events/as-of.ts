import type { RecordedEvent } from '@quittance/domain'
import type { Found, PublicEvent, ReadModel } from '@quittance/projections'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { rowFrom, type StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'

type History = ReadonlyArray<RecordedEvent>

/** What a public event shows of its resource. */
export type Renderer<Data> = (publicEvent: PublicEvent) => TE.TaskEither<StoreUnavailable, Data>

/** A stream as it was when something was announced: what stood in the log up to there. */
export const streamAsOf =
  ({ store }: Services) =>
  (stream: string, { position }: PublicEvent): TE.TaskEither<StoreUnavailable, History> =>
    TE.map(({ events }: { readonly events: History }) => events.filter((event) => event.position <= position))(
      store.readStream(stream),
    )

/** Renders from the public event's own stream, by its events up to the one that gives it. */
export const fromStream =
  (services: Services) =>
  <Data>(show: (publicEvent: PublicEvent, events: History) => Data): Renderer<Data> =>
  (publicEvent) =>
    TE.map((events: History) => show(publicEvent, events))(streamAsOf(services)(publicEvent.stream, publicEvent))

/** The row of a resource, which there was then. */
export const rowOf = <Row>(model: ReadModel<Row>, id: string, events: History): Found<Row> => {
  const row = rowFrom(model, id, events)
  if (O.isSome(row)) return row.value
  throw new Error(`${model.category}-${id} is announced and has no row`)
}

/** What follows the category in the name of a public event's stream. */
export const idIn = ({ stream }: PublicEvent): string => stream.slice(stream.indexOf('-') + 1)

/** The event that is announced, behind those before it. */
export const lastOf = (events: History): RecordedEvent => {
  const last = events.at(-1)
  if (last !== undefined) return last
  throw new Error('what is announced is not in the log')
}
