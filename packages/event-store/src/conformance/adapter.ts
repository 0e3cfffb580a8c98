import type { EventStore } from '../port.ts'

/** What a tester can do to a store beyond using it. An adapter that cannot offer one says so by name. */
export type Capabilities = {
  /** Another handle on the same log, as another process has it. */
  readonly another: () => EventStore
  /** Takes the store's room away; the returned function gives it back. */
  readonly fillDisk: () => () => void
  /** Changes what is stored, behind the store's back. */
  readonly tamper: (change: Tampering) => void
  /** Every place at which verification finds the log altered. A null stream means the log as a whole. */
  readonly findProblems: (heads: ReadonlyArray<LogHead>) => Promise<ReadonlyArray<Place>>
  /** The log's head, to be kept outside the store. */
  readonly logHead: () => LogHead
  /** Runs an append of one event in a process that is killed (kill -9) at that moment. */
  readonly killedAppend: (moment: 'before commit' | 'before reply', stream: string, id: string) => Promise<void>
}

export type Place = { readonly stream: string | null; readonly revision: bigint | null }
export type LogHead = { readonly position: number; readonly digest: string }

export const alterableFields = ['data', 'metadata', 'id', 'type', 'revision', 'stream', 'hash'] as const

export type Tampering =
  | { readonly _tag: 'flipByte'; readonly field: (typeof alterableFields)[number]; readonly position: bigint }
  | { readonly _tag: 'dropEvent'; readonly position: bigint }
  | { readonly _tag: 'swapEvents'; readonly position: bigint; readonly other: bigint }
  | { readonly _tag: 'cutTail'; readonly after: bigint }

export type StoreUnderTest = Partial<Capabilities> & {
  readonly store: EventStore
  readonly dispose: () => Promise<void>
}
