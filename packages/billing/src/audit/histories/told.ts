import type { Aggregate, AssetId, FiatPrice, RecordedEvent, Stroops } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import type { Family } from '../../resources/scopes.ts'

/** One observation that a price was converted by. */
export type ToldRate = {
  readonly pair: string
  readonly rate: string
  readonly source: string
  readonly observedAt: number
}

/** What has caused an entry: the latest entry of one of these types in that stream before it. */
export type Origin = { readonly stream: string; readonly types: ReadonlyArray<string> }

/**
 * What an event says to people: `what` happened, in one sentence, and `why`, where the event itself knows. `names` are the
 * ids of other resources in it, by which stories are joined. `root`: what has caused it where no entry has.
 */
export type Told = {
  readonly what: string
  readonly why?: string | null
  readonly price?: FiatPrice | null
  readonly rates?: ReadonlyArray<ToldRate>
  readonly amount?: { readonly stroops: Stroops; readonly assetId: AssetId } | null
  readonly transactionHash?: string | null
  readonly ledger?: number | null
  readonly names?: ReadonlyArray<string>
  readonly follows?: ReadonlyArray<Origin>
  readonly root?: 'clock' | 'ledger'
  /** What else a reader must be allowed to read. */
  readonly needs?: Family
  /** The places on the ledger of money that may have become an exception. */
  readonly misfits?: ReadonlyArray<string>
  /** Another name of its stream, by which other entries may follow it. */
  readonly alsoIn?: string
}

/** An event with what it says, and the status of its resource after it. */
export type ToldEvent = {
  readonly recorded: RecordedEvent
  readonly resourceId: string
  readonly told: Told
  readonly status: string | null
}

/** Tells the events of one stream, in their order. */
export type Teller = {
  readonly category: string
  readonly tell: (events: ReadonlyArray<RecordedEvent>) => ReadonlyArray<ToldEvent>
}

/** What follows the category in a stream's name. */
export const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1)

/**
 * The teller of an aggregate. `words` gets the state after each event, and the id of the stream's resource. It visits
 * every type of event, so that a new one does not compile without a sentence.
 */
export const tellerOf = <Command, Event, State, Rejection>(
  aggregate: Aggregate<Command, Event, State, Rejection>,
  words: (event: Event, after: State, id: string) => Told,
  statusOf: (state: State) => string | null,
): Teller => {
  const decode = decodedBy(aggregate)
  const { initial, evolve } = aggregate.decider
  return {
    category: aggregate.category,
    tell: (events) => {
      let state = initial
      return events.map((recorded) => {
        const event = decode(recorded)
        state = evolve(state, event)
        const resourceId = idIn(recorded.stream)
        return { recorded, resourceId, told: words(event, state, resourceId), status: statusOf(state) }
      })
    },
  }
}

/** The status of a state that names it. */
export const namedStatus = ({ status }: { readonly status: string }): string | null => status
