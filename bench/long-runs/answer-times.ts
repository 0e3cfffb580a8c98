/** Of answers, in milliseconds. */
export type AnswerTimes = { readonly count: number; readonly p50: number; readonly p99: number }

const rounded = (value: number): number => Math.round(value * 100) / 100

const timesOf = (durations: ReadonlyArray<number>): AnswerTimes => {
  const sorted = durations.toSorted((one, other) => one - other)
  const at = (share: number): number => rounded(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN)
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) }
}

/** Collects how long answers took, by their kind. */
export const openTimes = () => {
  let byKind = new Map<string, Array<number>>()
  return {
    add: (kind: string, ms: number): void => {
      const known = byKind.get(kind)
      if (known === undefined) byKind.set(kind, [ms])
      else known.push(ms)
    },
    /** What was collected since the last time. */
    take: (): Readonly<Record<string, AnswerTimes>> => {
      const taken = [...byKind].toSorted(([one], [other]) => one.localeCompare(other))
      byKind = new Map()
      return Object.fromEntries(taken.map(([kind, durations]) => [kind, timesOf(durations)]))
    },
  }
}
