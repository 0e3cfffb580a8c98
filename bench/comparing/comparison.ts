import type { Cluster } from '@quittance/event-store/postgres/testing/cluster'

/** What a comparison is to reach. */
export type Aim =
  /** Ours divided by the peer's. `later`: the next aim, once this one is met. */
  | { readonly _tag: 'ratio'; readonly atLeast: number; readonly later?: number }
  /** Our figure, without a peer. */
  | { readonly _tag: 'at least'; readonly figure: number }
  | { readonly _tag: 'at most'; readonly figure: number }
  | { readonly _tag: 'none' }

/** The two sides, ready to be measured. Each call is one round and answers a figure in the comparison's unit. */
export type Sides = {
  readonly ours: () => Promise<number>
  /** Null: there is none, and our figure is judged by itself. */
  readonly peer: (() => Promise<number>) | null
  readonly close: () => Promise<void>
}

/** Where a comparison works. */
export type Stage = {
  /** An empty folder on the disk of temporary files, removed afterwards. */
  readonly folder: string
  /** How much work a round has: less in short rounds. */
  readonly amount: (full: number) => number
  /** A server of PostgreSQL of its own, with `fsync` on; removed afterwards. */
  readonly cluster: () => Promise<Cluster>
}

/** One of our figures beside that of a peer. Its texts are sentences of `docs/performance.md`. */
export type Comparison = {
  readonly name: string
  readonly file: string
  /** What a round does, on both sides. */
  readonly measures: string
  readonly unit: string
  readonly ours: string
  /** Null: there is none. */
  readonly peer: string | null
  /** The packages whose versions belong to the figures. */
  readonly packages: ReadonlyArray<string>
  readonly aim: Aim
  /** While the aim is missed: why, and what would close the gap. */
  readonly missedBecause: string | null
  readonly open: (stage: Stage) => Promise<Sides>
}
