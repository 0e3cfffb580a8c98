import { logInUse, type RecordedEvent } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { parseVerifierKey, type VerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CustomerNotFound } from '../../features/customers/living.ts'
import type { PaymentNotFound } from '../../features/payments/payments.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { CheckpointFailure } from '../transparency/failure.ts'
import type { TransparencyLog } from '../transparency/transparency-log.ts'
import { assemble, type TreeChanging } from './assemble.ts'
import { type Collected, type CollectServices, collect, subjectStream } from './collect.ts'
import { type FindServices, findAnchors } from './find-anchors.ts'
import { type EvidenceKind, printEvidence } from './format.ts'
import { type UsedCheckpoint, usedCheckpoint } from './used-checkpoint.ts'

type SubscriptionNotFound = { readonly _tag: 'SubscriptionNotFound' }
export type EvidenceFailure =
  | StoreUnavailable
  | CheckpointFailure
  | TreeChanging
  | CustomerNotFound
  | PaymentNotFound
  | SubscriptionNotFound

/**
 * Evidence about a payment, a subscription or a customer of a merchant, as the text of a file (docs/evidence/format.md): the
 * events that concern it, proven under a signed checkpoint, and nothing of any other customer. Signs a checkpoint where the
 * latest one does not cover all of them.
 * Errors: `EvidenceFailure`; `TreeChanging` while the tree is made again: ask again in a minute.
 */
export type GatherEvidence = (scope: Scope, kind: EvidenceKind, id: string) => TE.TaskEither<EvidenceFailure, string>

const notFound = {
  customer: 'CustomerNotFound',
  payment: 'PaymentNotFound',
  subscription: 'SubscriptionNotFound',
} as const

type EvidenceServices = CollectServices & FindServices & Pick<Services, 'caughtUp' | 'clock' | 'witnessKeys'>

export const gatherEvidence =
  (services: EvidenceServices, transparency: TransparencyLog): GatherEvidence =>
  (scope, kind, id) =>
  async () => {
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const collected = await collect(services, scope, kind, id)
    if (E.isLeft(collected)) return collected
    if (collected.right === null) return E.left({ _tag: notFound[kind] })
    const covering = await checkpointFor(services, transparency, collected.right)
    if (E.isLeft(covering)) return covering
    const { checkpoint, reach, logKeys } = covering.right
    const { size } = checkpoint
    const anchored = await findAnchors(services, { transparency, size, reach, keys: logKeys })
    if (E.isLeft(anchored)) return anchored
    const work = { transparency, collected: collected.right, size, now: services.clock.now(scope.environment) }
    const evidence = await assemble(work, { id, kind }, checkpoint, anchored.right)
    if (E.isLeft(evidence)) return evidence
    // A tree that was made again may lack the subject for a moment.
    const isThere = evidence.right.streams.some(({ stream }) => stream === subjectStream(kind, id))
    return isThere ? E.right(printEvidence(evidence.right)) : E.left({ _tag: 'TreeChanging' })
  }

const lastOf = ({ streams }: Collected): RecordedEvent | null =>
  [...streams.values()]
    .flatMap((events) => events.at(-1) ?? [])
    .reduce<RecordedEvent | null>((last, each) => (last === null || each.position > last.position ? each : last), null)

/** A checkpoint of which the first `reach` events hold all of the evidence. `logKeys`: those of the log in use. */
type Covering = {
  readonly checkpoint: UsedCheckpoint
  readonly reach: bigint
  readonly logKeys: ReadonlyArray<VerifierKey>
}
type Covered = E.Either<StoreUnavailable | TreeChanging, Covering>

/** The latest checkpoint if it covers all events, else a new one. */
const checkpointFor = async (
  services: Pick<Services, 'witnessKeys'>,
  transparency: TransparencyLog,
  collected: Collected,
): Promise<E.Either<StoreUnavailable | CheckpointFailure | TreeChanging, Covering>> => {
  const covered = (note: string | null): Promise<Covered> => coveredBy(services, transparency, lastOf(collected), note)
  const latest = await covered(await transparency.checkpoint())
  if (E.isRight(latest) || latest.left._tag !== 'TreeChanging') return latest
  const signed = await transparency.sign()
  return E.isLeft(signed) ? signed : covered(signed.right)
}

/** Errors: `TreeChanging` where this is no checkpoint of the log in use that covers the last event, as after it was made again. */
const coveredBy = async (
  { witnessKeys }: Pick<Services, 'witnessKeys'>,
  transparency: TransparencyLog,
  last: RecordedEvent | null,
  note: string | null,
): Promise<Covered> => {
  const logs = await transparency.logs()
  if (E.isLeft(logs)) return logs
  const logKeys = (logInUse({ logs: logs.right })?.vkeys ?? [])
    .map(parseVerifierKey)
    .flatMap((key) => (E.isRight(key) ? [key.right] : []))
  const checkpoint = note === null ? null : usedCheckpoint(note, [...logKeys, ...witnessKeys])
  const index = last === null ? null : await transparency.indexOf(last.position)()
  if (checkpoint === null || index === null || index >= checkpoint.size) return E.left({ _tag: 'TreeChanging' })
  return E.right({ checkpoint, reach: index + 1n, logKeys })
}
