import type { Text, UnixMs } from '@quittance/domain'
import type * as t from 'io-ts'
import type { RateObservation } from '../source.ts'

/** One document of a market: where it is, which pairs it can speak of, and how it is read. */
export type RateDocument = {
  readonly source: Text
  /** Tells the documents of one source apart. */
  readonly name: string
  readonly url: string
  /** How long it may be used before it is asked for again. How old an observation may be is judged apart from that. */
  readonly ttlMs: number
  readonly covers: (pair: string) => boolean
  /** `receivedAt` is the time of observation only where the document itself names none. */
  readonly read: (document: unknown, receivedAt: UnixMs) => t.Validation<ReadonlyArray<RateObservation>>
}
