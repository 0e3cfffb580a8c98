/** What a benchmark found: a figure by its name, which holds the unit. */
export type Report = Readonly<Record<string, number | string>>

/** Runs on a temporary directory and the loopback interface alone, in less than a minute unless its flags ask for more. */
export type Benchmark = (flags: ReadonlyArray<string>) => Promise<Report>

/** The middle of several measurements; of an even number, the upper of the two. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
