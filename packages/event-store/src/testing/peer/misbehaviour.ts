import type { Metadata } from '@grpc/grpc-js'
import type { Outcome } from './judge-append.ts'

/** What a peer does wrong, until it is told to do something else. */
export type Misbehaviour =
  | { readonly _tag: 'none' }
  /** Takes every request and neither acts nor answers. */
  | { readonly _tag: 'silent' }
  /** Writes, and never answers. */
  | { readonly _tag: 'holdsReplies' }
  /** Writes, and answers that it is unavailable. */
  | { readonly _tag: 'losesReplies' }
  /** Ends batch appends and subscriptions as if all were well; a subscription after its first `afterEvents` events. */
  | { readonly _tag: 'endsCleanly'; readonly afterEvents: number }
  /** Ends batch appends and subscriptions with an error, without acting. */
  | { readonly _tag: 'fails' }
  /** Answers everything that it is unavailable, without acting. */
  | { readonly _tag: 'unavailable' }
  /** Answers that an append ended at this revision, whether or not it writes it. */
  | { readonly _tag: 'answersRevision'; readonly revision: number; readonly writes: boolean }
  /** Waits so long before it acts. */
  | { readonly _tag: 'slow'; readonly delayMs: number }
  /** Tells a filtered subscription of a checkpoint at the next event instead of that event, and ends it cleanly. */
  | { readonly _tag: 'checkpointsAhead'; readonly afterEvents: number }
  /** Sends writers, and whoever asks for the leader, elsewhere. */
  | { readonly _tag: 'notLeader'; readonly host: string; readonly port: number }

/** What a peer answers to an append, which it writes unless it is told not to. */
export const answered = (fault: Misbehaviour, write: () => Outcome): Outcome => {
  if (fault._tag !== 'answersRevision') return write()
  const position = { commit: 0, prepare: 0 }
  const truth: Outcome = fault.writes ? write() : { _tag: 'success', revision: -1, position }
  return truth._tag === 'success' ? { ...truth, revision: fault.revision } : truth
}

/** A peer's present misbehaviour, read anew by every request. */
export type Conduct = {
  readonly current: () => Misbehaviour
  /** Whether the caller has shown the credentials that the peer asks for. */
  readonly allows: (metadata: Metadata) => boolean
  /** Counts the requests to write that have arrived in full. */
  readonly sawAppend: () => void
}

export const sleep = (delayMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delayMs))
