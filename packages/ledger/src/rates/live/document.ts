import type { Text, UnixMs } from '@quittance/domain'
import type * as t from 'io-ts'
import type { RateObservation } from '../source.ts'

/** One document of a market: its address, the pairs that it covers, and its reader. */
export type RateDocument = {
  readonly source: Text
  /** Tells the documents of one source apart. */
  readonly name: string
  readonly url: string
  /** How long it may be used before it is read again. The age of observations is judged separately. */
  readonly ttlMs: number
  readonly covers: (pair: string) => boolean
  /** `receivedAt` is the time of observation where the document names none. */
  readonly read: (document: unknown, receivedAt: UnixMs) => t.Validation<ReadonlyArray<RateObservation>>
}
