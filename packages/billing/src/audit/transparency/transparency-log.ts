import type { NamedLog } from '@quittance/domain'
import {
  type Hash,
  type NoProof,
  proveConsistency,
  proveInclusion,
  type Tile,
  type TreeHead,
} from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { type BeginAgainFailure, beginAgain, rotateKey } from './decide-log.ts'
import type { CheckpointFailure } from './failure.ts'
import { feedTree } from './feed-tree.ts'
import { type LogDecision, stateOfLog } from './log-identity.ts'
import { type CheckpointServices, signCheckpoint } from './sign-checkpoint.ts'

/** The log as a transparency log: a Merkle tree over all events, in their order, and signed checkpoints of its root. */
export interface TransparencyLog {
  /** Brings the tree up to the end of the log; answers how many events that has, and the root over them. */
  readonly feed: TE.TaskEither<StoreUnavailable, TreeHead>
  /**
   * Signs a checkpoint of the log as it is now, and answers it as a note (C2SP tlog-checkpoint). Repeated without new
   * events, it answers the same note.
   */
  readonly sign: TE.TaskEither<CheckpointFailure, string>
  /**
   * Gives the log another name and key for a person's reason, and answers its first checkpoint: where the log went back for
   * good, it cannot continue the one before. Old checkpoints stay what they are, and everybody sees that it began again.
   * Errors: `LogContinues` where nothing is in its way.
   */
  readonly beginAgain: (decision: LogDecision) => TE.TaskEither<BeginAgainFailure, string>
  /** Signs with a new key too from now on, for a person's reason, and answers the first checkpoint that it has signed. */
  readonly rotateKey: (decision: LogDecision) => TE.TaskEither<CheckpointFailure, string>
  /** The latest signed note, as it is shown to everybody; null before the first. */
  readonly checkpoint: T.Task<string | null>
  /** The names that the log has had, with the keys that verify its checkpoints, oldest first. The last one is in use. */
  readonly logs: TE.TaskEither<StoreUnavailable, ReadonlyArray<NamedLog>>
  /** The index in the tree of the event at a position of the log; null while the tree has no such event. */
  readonly indexOf: (position: bigint) => T.Task<bigint | null>
  /** Proves that the leaf with this index is in the tree of so many leaves. */
  readonly proveInclusion: (index: bigint, size: bigint) => TE.TaskEither<NoProof, ReadonlyArray<Hash>>
  /** Proves that the tree of `size` leaves begins with that of `oldSize`. */
  readonly proveConsistency: (oldSize: bigint, size: bigint) => TE.TaskEither<NoProof, ReadonlyArray<Hash>>
  /** The hashes of a tile, at least as many as its width, 32 bytes each; null where the tree has none. */
  readonly tile: (tile: Tile) => T.Task<Uint8Array | null>
}

export const transparencyLog = (services: CheckpointServices): TransparencyLog => {
  const { logTree, latestCheckpoint } = services
  return {
    feed: () => feedTree(services),
    sign: () => signCheckpoint(services),
    beginAgain: (decision) => () => beginAgain(services, decision),
    rotateKey: (decision) => () => rotateKey(services, decision),
    checkpoint: latestCheckpoint.note,
    logs: async () => {
      const state = await stateOfLog(services)
      return E.isLeft(state) ? state : E.right(state.right.logs)
    },
    indexOf: (position) => () => logTree.indexOf(position),
    proveInclusion: (index, size) => () => proveInclusion(index, size, logTree.readTiles),
    proveConsistency: (oldSize, size) => () => proveConsistency(oldSize, size, logTree.readTiles),
    tile: (tile) => async () => (await logTree.readTiles([tile]))[0] ?? null,
  }
}
