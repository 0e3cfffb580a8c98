import * as E from 'fp-ts/lib/Either.js'
import type { Aggregate } from '../shared/aggregate.ts'
import { CorruptStream } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type { EncodedEvent } from '../shared/event-format.ts'
import type { UnixMs } from '../shared/units.ts'

/** What is wrong with an event of an append, by its place there. */
export type Misjudged = { readonly place: number; readonly problem: string }

/** Replays one stream, an append at a time. */
export interface StreamJudge {
  /** The events of one append, in order, and its time. After an event that the state cannot hold, nothing more is judged. */
  readonly append: (events: ReadonlyArray<EncodedEvent>, at: UnixMs) => ReadonlyArray<Misjudged>
}

type Explain<Command, Event, State> = (
  state: State,
  event: Event,
  next: ReadonlyArray<Event>,
  at: UnixMs,
) => ReadonlyArray<Command>

/** Judges streams of one aggregate: whether commands of it can have recorded these events. */
export const judging =
  <Command, Event extends { readonly type: string }, State, Rejection>(
    { decider, events: format }: Aggregate<Command, Event, State, Rejection>,
    behind: Explain<Command, Event, State>,
  ) =>
  (): StreamJudge => {
    const { initial, evolve, decide } = decider
    let state = initial
    let isOver = false

    /** How many events, from the first on, one command records; none where no command does. */
    const explained = (events: ReadonlyArray<Event>, at: UnixMs): number => {
      const [first, ...next] = events
      if (first === undefined) return 0
      let longest = 0
      for (const command of behind(state, first, next, at)) {
        const decided = decide(command)(state)
        if (E.isLeft(decided) || decided.right.length <= longest) continue
        if (isSame(decided.right, events.slice(0, decided.right.length))) longest = decided.right.length
      }
      return longest
    }
    const hold = (event: Event): boolean => {
      try {
        state = evolve(state, event)
        return true
      } catch (cause) {
        if (!(cause instanceof CorruptStream)) throw cause
        return false
      }
    }
    const judge = (events: ReadonlyArray<Event>, at: UnixMs): ReadonlyArray<Misjudged> => {
      const found: Array<Misjudged> = []
      for (let place = 0; place < events.length && !isOver; ) {
        const count = explained(events.slice(place), at)
        if (count === 0) found.push({ place, problem: 'no command could have recorded this here' })
        for (const event of events.slice(place, place + Math.max(1, count))) {
          isOver ||= !hold(event)
          place += 1
        }
      }
      return found
    }

    return {
      append: (encoded, at) => {
        const events: Array<Event> = []
        for (const [place, each] of encoded.entries()) {
          const decoded = format.decodeEvent(each)
          if (E.isRight(decoded)) events.push(decoded.right)
          else if (!isOver) {
            isOver = true
            return [{ place, problem: `is no event of its stream: ${decoded.left.problem}` }]
          }
        }
        return isOver ? [] : judge(events, at)
      },
    }
  }
