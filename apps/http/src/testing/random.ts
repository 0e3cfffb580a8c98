import { createHash } from 'node:crypto'

/** Numbers from 0 to 1 that are the same for the same seed. */
export const randomFrom = (seed: number): (() => number) => {
  let drawn = 0
  return () => createHash('sha256').update(`${seed} ${drawn++}`).digest().readUInt32BE(0) / 2 ** 32
}
