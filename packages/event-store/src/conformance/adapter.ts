import type { EventStore } from '../port.ts'

/** Extra powers over a store under test. An adapter lists those that it lacks. */
export type Capabilities = {
  /** Another handle on the same log, like another process's. */
  readonly another: () => EventStore
  /** Fills the disk; the returned function frees it. */
  readonly fillDisk: () => (() => void) | Promise<() => Promise<void>>
  /** Changes stored data directly. */
  readonly tamper: (change: Tampering) => void | Promise<void>
  /** Every event at which verification finds a problem. A null stream means the whole log. */
  readonly findProblems: (heads: ReadonlyArray<LogHead>) => Promise<ReadonlyArray<EventName>>
  /** The log's head, to be kept outside the store. */
  readonly logHead: () => LogHead | Promise<LogHead>
  /** Appends one event in a process that is killed (kill -9) at that moment. */
  readonly killedAppend: (moment: 'before commit' | 'before reply', stream: string, id: string) => Promise<void>
}

/** An event by its stream and revision. */
export type EventName = { readonly stream: string | null; readonly revision: bigint | null }
/** The end of a log: its last position, and the digest of all hashes. */
export type LogHead = { readonly position: number; readonly digest: string }

export const alterableFields = ['data', 'metadata', 'id', 'type', 'revision', 'stream', 'hash'] as const

/** What somebody does to the stored log behind the store's back. */
export type Tampering =
  | { readonly _tag: 'flipByte'; readonly field: (typeof alterableFields)[number]; readonly position: bigint }
  | { readonly _tag: 'dropEvent'; readonly position: bigint }
  | { readonly _tag: 'swapEvents'; readonly position: bigint; readonly other: bigint }
  | { readonly _tag: 'cutTail'; readonly after: bigint }

/** An empty store for one rule, with whatever else the adapter can do. `dispose` closes and removes it. */
export type StoreUnderTest = Partial<Capabilities> & {
  readonly store: EventStore
  readonly dispose: () => Promise<void>
}
