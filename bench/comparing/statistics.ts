import type { Result } from './results.ts'

/** The value below which this share of the values lies, between two of them where it falls there. */
const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const place = (sorted.length - 1) * share
  const [below = Number.NaN, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2)
  return below + (above - below) * (place % 1)
}

/** The median, and the quartiles: half of the values lie between them. */
export type Spread = { readonly median: number; readonly low: number; readonly high: number }

/** The spread of at least one value. */
export const spreadOf = (values: ReadonlyArray<number>): Spread => ({
  median: quantile(values, 0.5),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
})

/** Ours divided by the peer's, of each pair of rounds; empty without a peer. */
export const ratiosOf = ({ ours, peer }: Result): ReadonlyArray<number> =>
  (peer ?? []).map((theirs, round) => (ours[round] ?? Number.NaN) / theirs)
