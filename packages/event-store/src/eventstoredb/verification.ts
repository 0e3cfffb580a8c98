// Apart from `verify.ts`, so that these types lead to none of the client's.
import type { Problem } from '../chain-check.ts'

/** A recorded state of the log: its last event and the number of events. */
export type RecordedHead = {
  readonly stream: string
  readonly revision: bigint
  readonly hash: string
  readonly events: number
}

export type Verification = {
  readonly ok: boolean
  /** The number of readable events. */
  readonly events: number
  readonly problems: ReadonlyArray<Problem>
}
