import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { FactsCodec } from './fact.ts'
import type { JsonObject } from './json.ts'
import { wrongPlaces } from './wrong-places.ts'

/** An event as a store keeps it. */
export type EncodedEvent = { readonly type: string; readonly schemaVersion: number; readonly data: JsonObject }

/** A stored event that no codec of ours reads: the log was written by a newer version, or not by us. */
export type MalformedEvent = {
  readonly _tag: 'MalformedEvent'
  readonly type: string
  readonly schemaVersion: number
  readonly problem: string
}

export interface EventFormat<Event> {
  readonly types: ReadonlyArray<string>
  readonly encodeEvent: (event: Event) => EncodedEvent
  readonly decodeEvent: (encoded: EncodedEvent) => E.Either<MalformedEvent, Event>
  /** As `decodeEvent`, but decodes the same object only once, for folds that share their events. Nobody may change it meanwhile. */
  readonly decodeOnce: (encoded: EncodedEvent) => E.Either<MalformedEvent, Event>
}

/** How the bytes of one released shape are read today: what an event of `type` at `schemaVersion` has become. */
export type Upcast = {
  readonly type: string
  readonly schemaVersion: number
  readonly upcast: (data: JsonObject) => EncodedEvent
}

const keyOf = (type: string, schemaVersion: number): string => `${type}/${schemaVersion}`

/**
 * How an aggregate's events are written and read. An event of an older schema version passes through its upcasts, one
 * after the other, until it is one that today's codec reads.
 */
export const eventFormat = <Member extends t.Mixed & { readonly type: string; readonly schemaVersion: number }>(
  codec: FactsCodec<Member>,
  upcasts: ReadonlyArray<Upcast> = [],
): EventFormat<t.TypeOf<Member>> => {
  const upcastOf = new Map(upcasts.map((each) => [keyOf(each.type, each.schemaVersion), each.upcast]))

  const decodeEvent = ({ type, schemaVersion, data }: EncodedEvent): E.Either<MalformedEvent, t.TypeOf<Member>> => {
    const malformed = (problem: string): MalformedEvent => ({ _tag: 'MalformedEvent', type, schemaVersion, problem })
    const member = codec.members.get(type)
    if (member?.schemaVersion === schemaVersion) {
      const decoded = member.decode({ type, data })
      return decoded._tag === 'Left' ? E.left(malformed(wrongPlaces(decoded.left))) : decoded
    }
    const upcast = upcastOf.get(keyOf(type, schemaVersion))
    return upcast === undefined ? E.left(malformed('unknown type or schema version')) : decodeEvent(upcast(data))
  }

  const decodedBefore = new WeakMap<EncodedEvent, E.Either<MalformedEvent, t.TypeOf<Member>>>()

  return {
    types: [...codec.members.keys()],
    encodeEvent: (event) => {
      const member = codec.members.get(event.type)
      if (member === undefined) throw new TypeError(`${event.type} is no event of this aggregate`)
      const { type, data } = member.encode(event)
      return { type, schemaVersion: member.schemaVersion, data }
    },
    decodeEvent,
    decodeOnce: (encoded) => {
      const before = decodedBefore.get(encoded)
      if (before !== undefined) return before
      const decoded = decodeEvent(encoded)
      decodedBefore.set(encoded, decoded)
      return decoded
    },
  }
}
