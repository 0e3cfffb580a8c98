import { createHash } from 'node:crypto'

/** Reproducible random numbers from 0 to 1. */
export const randomFrom = (seed: number): (() => number) => {
  let drawn = 0
  return () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE(0) / 2 ** 32
}
