import {
  keyIdOf,
  printCheckpoint,
  printNote,
  proveConsistency,
  signNote,
  type TreeHead,
  verifyConsistency,
} from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { Services } from '../../services/services.ts'
import type { CheckpointFailure } from './failure.ts'
import { feedTree } from './feed-tree.ts'
import { type KnownCheckpoint, knownCheckpoint, largestCheckpoint } from './known-checkpoints.ts'
import { type SigningLog, signingLog } from './log-identity.ts'

export type CheckpointServices = Pick<
  Services,
  'store' | 'vault' | 'clock' | 'freshId' | 'publicUrl' | 'logTree' | 'latestCheckpoint' | 'keptCheckpoints'
> & { readonly logStanding: Pick<Services['logStanding'], 'check'> }

/** Whether the tree continues a checkpoint. A tree that is made again meanwhile continues nothing yet. */
const continues = async (
  { logTree }: Pick<Services, 'logTree'>,
  { checkpoint }: KnownCheckpoint,
  head: TreeHead,
): Promise<boolean> => {
  if (checkpoint.size > head.size) return false
  const proof = await proveConsistency(checkpoint.size, head.size, logTree.readTiles)
  return E.isRight(proof) && verifyConsistency(checkpoint, head, proof.right)
}

const signatureOf = async ({ keys }: SigningLog, text: string): Promise<string> => {
  const signatures = []
  // The newest key first: some verifiers read no more than one.
  for (const { key, sign } of keys.toReversed()) {
    const signed = await signNote(key, sign, text)()
    if (E.isRight(signed)) signatures.push(signed.right)
  }
  return printNote({ text, signatures })
}

const isSignedByAll = ({ keys }: SigningLog, { signatures }: KnownCheckpoint): boolean =>
  keys.every(({ key }) => signatures.some(({ keyId }) => keyId === keyIdOf(key)))

/** Makes a note the latest of all processes, unless they know a larger one. */
const publish = async (
  { latestCheckpoint }: Pick<Services, 'latestCheckpoint'>,
  { verifierKeys }: SigningLog,
  note: string,
  size: bigint,
): Promise<void> => {
  for (;;) {
    const before = await latestCheckpoint.note()
    const known = before === null ? null : knownCheckpoint(before, verifierKeys)
    if (known !== null && known.checkpoint.size > size) return
    if (before === note || (await latestCheckpoint.replace(before, note))) return
  }
}

/**
 * Signs a checkpoint of the whole log as it is now, unless the latest one says the same, and answers it as a note. It is on
 * the disk outside the log before anybody sees it. None is signed that does not continue the largest one before it, by a
 * proof over the tree: what was signed once is never taken back.
 */
export const signCheckpoint = async (services: CheckpointServices): Promise<E.Either<CheckpointFailure, string>> => {
  const standing = await services.logStanding.check()
  if (E.isLeft(standing)) return standing
  if (standing.right._tag === 'RolledBack') return E.left({ _tag: 'LogRolledBack' })
  const log = await signingLog(services)
  if (E.isLeft(log)) return log
  const fed = await feedTree(services)
  if (E.isLeft(fed)) return fed
  const head = fed.right
  const largest = await largestCheckpoint(services, log.right.verifierKeys)
  if (E.isLeft(largest)) return largest
  const before = largest.right
  if (before !== null) {
    if (!(await continues(services, before, head)))
      return E.left({ _tag: 'CheckpointNotContinued', kept: before.checkpoint.size, size: head.size })
    if (before.checkpoint.size === head.size && isSignedByAll(log.right, before)) {
      await publish(services, log.right, before.note, head.size)
      return E.right(before.note)
    }
  }
  const note = await signatureOf(log.right, printCheckpoint({ origin: log.right.origin, ...head }))
  const kept = E.tryCatch(
    () => services.keptCheckpoints?.add(note),
    (cause) => cause,
  )
  if (E.isLeft(kept)) return E.left({ _tag: 'CheckpointsNotKept', cause: kept.left })
  await publish(services, log.right, note, head.size)
  return E.right(note)
}
