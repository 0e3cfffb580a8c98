import type * as t from 'io-ts'
import { brandedInteger } from './branded.ts'

/**
 * A moment as whole Unix milliseconds, up to the last one that a `Date` can show.
 * Close times of ledgers are whole seconds × 1000.
 */
export const UnixMs = brandedInteger<{ readonly UnixMs: symbol }>(
  'UnixMs',
  (integer) => integer >= 0 && integer <= latestUnixMs,
)
export type UnixMs = t.TypeOf<typeof UnixMs>

/** The last moment that a `Date` can be. */
export const latestUnixMs = 8_640_000_000_000_000

/** A number of things: 0, 1, 2, … */
export const Count = brandedInteger<{ readonly Count: symbol }>('Count', (integer) => integer >= 0)
export type Count = t.TypeOf<typeof Count>

/** A number of things of which there is at least one. */
export const PositiveCount = brandedInteger<{ readonly Count: symbol; readonly PositiveCount: symbol }>(
  'PositiveCount',
  (integer) => integer > 0,
)
export type PositiveCount = t.TypeOf<typeof PositiveCount>

/** A second, in milliseconds. */
export const secondMs = 1000
/** A minute, in milliseconds. */
export const minuteMs = 60 * secondMs
/** An hour, in milliseconds. */
export const hourMs = 60 * minuteMs
/** 24 hours, in milliseconds. */
export const dayMs = 24 * hourMs

/** Names a number as a moment. Throws a `RangeError` for any other: the caller's bug. */
export const unixMs = (integer: number): UnixMs => {
  if (UnixMs.is(integer)) return integer
  throw new RangeError(`${integer} is no moment in Unix milliseconds`)
}

/** Names a number as a count. Throws a `RangeError` for any other: the caller's bug. */
export const count = (integer: number): Count => {
  if (Count.is(integer)) return integer
  throw new RangeError(`${integer} is no count`)
}

/** Names a number as a count of at least one. Throws a `RangeError` for any other: the caller's bug. */
export const positiveCount = (integer: number): PositiveCount => {
  if (PositiveCount.is(integer)) return integer
  throw new RangeError(`${integer} is no count of at least one`)
}
