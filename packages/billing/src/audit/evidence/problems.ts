import type { DoubtfulCheckpoint, MalformedNote } from '@quittance/transparency'
import type { MalformedEvidence } from './format.ts'

/** What is wrong with evidence. Places in lists count from 0. */
export type EvidenceProblem =
  | MalformedEvidence
  /** A verifier key of the bundle is none, or is there twice. */
  | { readonly _tag: 'BadKey'; readonly key: string }
  /** A key of the bundle has signed none of its checkpoints. */
  | { readonly _tag: 'IdleKey'; readonly name: string }
  /** No key of the log that the auditor knows has signed the last checkpoint. */
  | { readonly _tag: 'UnknownLogKey'; readonly name: string }
  | { readonly _tag: 'NoCheckpoint' }
  | { readonly _tag: 'BadCheckpoint'; readonly place: number; readonly problem: MalformedNote | DoubtfulCheckpoint }
  /** A signature by a key that the bundle does not tell: nothing would notice a change of it. */
  | { readonly _tag: 'StraySignature'; readonly place: number; readonly keyName: string }
  /** The last checkpoint is of another log, is not larger, or does not continue this one. */
  | { readonly _tag: 'NotContinued'; readonly place: number }
  /** Fewer of the auditor's witnesses than wanted have cosigned a checkpoint that covers every event. */
  | {
      readonly _tag: 'TooFewWitnesses'
      readonly wanted: number
      readonly cosigned: ReadonlyArray<string>
    }
  /** The stream of what the evidence is about is missing. */
  | { readonly _tag: 'NothingAbout'; readonly stream: string }
  /** A stream is there twice, or without an event that is shown, or ends with one that is withheld. */
  | { readonly _tag: 'BadStream'; readonly stream: string }
  /** An event does not follow the one before it in its stream. */
  | { readonly _tag: 'BrokenChain'; readonly stream: string; readonly revision: number }
  /** An event is at no later place of the log than the one before it in its stream, or at the place of another one. */
  | { readonly _tag: 'BadIndex'; readonly stream: string; readonly revision: number }
  /** The log does not hold this event with this time at this place. */
  | { readonly _tag: 'NotInLog'; readonly stream: string; readonly revision: number }
  /** The transaction of an anchor does not name the checkpoint, or is not the one that the log has prepared. */
  | { readonly _tag: 'BadAnchor'; readonly place: number }
