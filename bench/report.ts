/** A benchmark's figures by name; the name contains the unit. */
export type Report = Readonly<Record<string, number | string>>

/**
 * A benchmark uses only a temporary directory and the loopback interface, and takes less than a minute unless its flags
 * ask for more.
 */
export type Benchmark = (flags: ReadonlyArray<string>) => Promise<Report>

/** The median; of an even number of values, the upper of the middle two. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
