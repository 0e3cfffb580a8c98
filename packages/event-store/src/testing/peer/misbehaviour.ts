import type { Metadata } from '@grpc/grpc-js'
import type { Outcome } from './judge-append.ts'

/** A peer's misbehaviour until the next change. */
export type Misbehaviour =
  | { readonly _tag: 'none' }
  /** Accepts requests and neither acts nor answers. */
  | { readonly _tag: 'silent' }
  /** Writes but never answers. */
  | { readonly _tag: 'holdsReplies' }
  /** Writes but answers that it is unavailable. */
  | { readonly _tag: 'losesReplies' }
  /** Ends batch appends and subscriptions cleanly; a subscription after its first `afterEvents` events. */
  | { readonly _tag: 'endsCleanly'; readonly afterEvents: number }
  /** Ends batch appends and subscriptions with an error, without acting. */
  | { readonly _tag: 'fails' }
  /** Answers every call as unavailable, without acting. */
  | { readonly _tag: 'unavailable' }
  /** Answers that an append ended at this revision, whether or not it writes. */
  | { readonly _tag: 'answersRevision'; readonly revision: number; readonly writes: boolean }
  /** Waits before it acts. */
  | { readonly _tag: 'slow'; readonly delayMs: number }
  /** Sends a filtered subscription a checkpoint at the next event instead of that event, and ends it cleanly. */
  | { readonly _tag: 'checkpointsAhead'; readonly afterEvents: number }
  /** Lets some batch appends be overtaken by those behind them. */
  | { readonly _tag: 'overtakes' }
  /** Refuses every batch append to this stream. */
  | { readonly _tag: 'refusesStream'; readonly stream: string }
  /** Never says that a subscription has caught up, as servers before 23.10. */
  | { readonly _tag: 'neverCaughtUp' }
  /** Redirects writers and calls for the leader. */
  | { readonly _tag: 'notLeader'; readonly host: string; readonly port: number }

/** A peer's answer to an append, which it writes unless its misbehaviour forbids it. */
export const faultyOutcome = (fault: Misbehaviour, write: () => Outcome): Outcome => {
  if (fault._tag !== 'answersRevision') return write()
  const position = { commit: 0, prepare: 0 }
  const truth: Outcome = fault.writes ? write() : { _tag: 'success', revision: -1, position }
  return truth._tag === 'success' ? { ...truth, revision: fault.revision } : truth
}

/** A peer's current misbehaviour, read by every request. */
export type Conduct = {
  readonly current: () => Misbehaviour
  /** Whether the caller presented the required credentials. */
  readonly allows: (metadata: Metadata) => boolean
  /** Counts append requests that have arrived in full. */
  readonly sawAppend: () => void
  /** Counts events sent to readers and subscribers. */
  readonly sentEvent: () => void
}

export const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))
