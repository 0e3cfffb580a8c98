import { type Position, START } from '@eventstore/db-client'

const half = 64n
const largestHalf = (1n << half) - 1n

/**
 * A position in `$all` as one number: the commit position in the upper half, the prepare position in the lower 64 bits.
 * Null where the server gives none; before 22.6 it gives one for `$all` only.
 */
export const portPosition = (position: Position | undefined): bigint | null => {
  if (position === undefined || position.commit === largestHalf || position.prepare === largestHalf) return null
  return (position.commit << half) | position.prepare
}

/** The position in `$all` of a port position; 0n is the start. */
export const serverPosition = (position: bigint): Position | typeof START =>
  position === 0n ? START : { commit: position >> half, prepare: position & largestHalf }
