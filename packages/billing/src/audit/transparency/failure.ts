import type { LogTransparencyRejection } from '@quittance/domain'
import type { ExecuteFailure } from '../../kernel/execute.ts'

/** Why no checkpoint is signed. */
export type CheckpointFailure =
  | ExecuteFailure
  | LogTransparencyRejection
  /** The log went back, and nobody has accepted that yet. */
  | { readonly _tag: 'LogRolledBack' }
  /**
   * The log does not continue the checkpoint of `kept` events that was signed before: it has fewer events, or another history.
   * `size` is how many it has.
   */
  | { readonly _tag: 'CheckpointNotContinued'; readonly kept: bigint; readonly size: bigint }
  /** The vault has another key than the one that the log names, as after a vault was lost. */
  | { readonly _tag: 'LogKeyLacking'; readonly vkey: string }
  /** The file of checkpoints cannot be read or written. */
  | { readonly _tag: 'CheckpointsNotKept'; readonly cause: unknown }
