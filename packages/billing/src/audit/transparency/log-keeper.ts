import { minuteMs, secondMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { inRole, type NotInRole } from '../../services/in-role.ts'
import type { Roles } from '../../stores/roles.ts'
import type { PostToWitness, Witness } from './ask-witness.ts'
import { cosignCheckpoint, type WitnessStanding } from './cosign-checkpoint.ts'
import type { CheckpointFailure } from './failure.ts'
import { feedTree } from './feed-tree.ts'
import { postToWitness } from './post-to-witness.ts'
import { type CheckpointServices, signCheckpoint } from './sign-checkpoint.ts'

/** How the keeping of the log fares: why the last checkpoint was not signed, and what each witness said of it. */
export type TransparencyStanding = {
  readonly failure: CheckpointFailure | null
  readonly witnesses: ReadonlyArray<WitnessStanding>
}

/** What a person must look at. */
export type TransparencyTrouble =
  | { readonly _tag: 'CheckpointRefused'; readonly failure: CheckpointFailure['_tag'] }
  /** `isBehind`: it has cosigned more of this log than there is now. */
  | { readonly _tag: 'WitnessRefused'; readonly witness: string; readonly status: number; readonly isBehind: boolean }

/** Feeds the tree, signs checkpoints and asks witnesses, step by step. */
export interface LogKeeper {
  readonly step: TE.TaskEither<StoreUnavailable | NotInRole, void>
  readonly standDown: () => Promise<void>
  /** As this process last found it. */
  readonly standing: () => TransparencyStanding
}

export type LogKeeperOptions = {
  /** Where processes share a database, one of them at a time keeps the log; null: in files. */
  readonly roles: Roles | null
  readonly witnesses: ReadonlyArray<Witness>
  /** Each new trouble, once. It must not throw. */
  readonly onTrouble: (trouble: TransparencyTrouble) => void
  readonly post?: PostToWitness
  /** The time from one checkpoint to the next, and from the start to the first. */
  readonly betweenCheckpointsMs?: number
  readonly betweenFeedsMs?: number
  /** Milliseconds that only grow. */
  readonly elapsed?: () => number
}

/** The log does not answer, or another process writes: the next step tries again, and nobody has to look at it. */
const isPassing = ({ _tag }: CheckpointFailure): boolean =>
  _tag === 'StoreUnavailable' || _tag === 'OutcomeUnknown' || _tag === 'TooManyConflicts' || _tag === 'LogRolledBack'

const troublesIn = ({ failure, witnesses }: TransparencyStanding): ReadonlyArray<TransparencyTrouble> => [
  ...(failure === null || isPassing(failure) ? [] : [{ _tag: 'CheckpointRefused' as const, failure: failure._tag }]),
  ...witnesses.flatMap(({ name, answer }) =>
    answer._tag === 'WitnessRefused'
      ? [{ _tag: 'WitnessRefused' as const, witness: name, status: answer.status, isBehind: answer.latest !== null }]
      : [],
  ),
]

/**
 * Keeps the log as a transparency log: its tree follows the log within a second, and a checkpoint is signed every few
 * minutes in which it grew. Steps never overlap.
 */
export const logKeeper = (services: CheckpointServices, options: LogKeeperOptions): LogKeeper => {
  const { roles, witnesses, onTrouble, post = postToWitness, elapsed = () => performance.now() } = options
  const { betweenCheckpointsMs = 5 * minuteMs, betweenFeedsMs = secondMs } = options
  const cosign = cosignCheckpoint(services, witnesses, post)
  let standing: TransparencyStanding = { failure: null, witnesses: [] }
  let known = new Set<string>()
  let fedAt = Number.NEGATIVE_INFINITY
  let signedAt = elapsed()

  const note = (found: TransparencyStanding): void => {
    standing = found
    const troubles = troublesIn(found)
    for (const trouble of troubles) if (!known.has(JSON.stringify(trouble))) onTrouble(trouble)
    known = new Set(troubles.map((trouble) => JSON.stringify(trouble)))
  }
  const sign = async (): Promise<void> => {
    const signed = await signCheckpoint(services)
    if (E.isLeft(signed)) note({ ...standing, failure: signed.left })
    else note({ failure: null, witnesses: await cosign.ask(signed.right) })
  }
  const stepOnce = async (): Promise<E.Either<StoreUnavailable, void>> => {
    const now = elapsed()
    if (now - fedAt >= betweenFeedsMs) {
      fedAt = now
      const fed = await feedTree(services)
      if (E.isLeft(fed)) return fed
    }
    if (now - signedAt >= betweenCheckpointsMs) {
      signedAt = now
      await sign()
    }
    return E.right(undefined)
  }
  const role = roles === null ? null : inRole(roles, 'transparency', { askedEachMs: secondMs })
  return {
    step: async () => {
      if (role === null) return stepOnce()
      const done = await role.run(stepOnce)
      return E.isLeft(done) ? done : done.right
    },
    standDown: async () => role?.standDown(),
    standing: () => standing,
  }
}
