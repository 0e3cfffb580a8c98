import { logInUse, type RecordedEvent } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CustomerNotFound } from '../../features/customers/living.ts'
import type { PaymentNotFound } from '../../features/payments/payments.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { CheckpointFailure } from '../transparency/failure.ts'
import type { TransparencyLog } from '../transparency/transparency-log.ts'
import { assemble, checkpointWith, type TreeChanging, type UsedCheckpoint } from './assemble.ts'
import { type Collected, type CollectServices, collect, subjectStream } from './collect.ts'
import { type EvidenceKind, printEvidence } from './format.ts'

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

export const gatherEvidence =
  (services: CollectServices & Pick<Services, 'caughtUp' | 'clock'>, transparency: TransparencyLog): GatherEvidence =>
  (scope, kind, id) =>
  async () => {
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const collected = await collect(services, scope, kind, id)
    if (E.isLeft(collected)) return collected
    if (collected.right === null) return E.left({ _tag: notFound[kind] })
    const used = await checkpointFor(transparency, collected.right)
    if (E.isLeft(used)) return used
    const now = services.clock.now(scope.environment)
    const work = { transparency, collected: collected.right, size: used.right.size, now }
    const evidence = await assemble(work, { id, kind }, used.right)
    if (E.isLeft(evidence)) return evidence
    // A tree that was made again may lack the subject for a moment.
    const isThere = evidence.right.streams.some(({ stream }) => stream === subjectStream(kind, id))
    return isThere ? E.right(printEvidence(evidence.right)) : E.left({ _tag: 'TreeChanging' })
  }

const lastOf = ({ streams }: Collected): RecordedEvent | null =>
  [...streams.values()]
    .flatMap((events) => events.at(-1) ?? [])
    .reduce<RecordedEvent | null>((last, each) => (last === null || each.position > last.position ? each : last), null)

/** The latest checkpoint if it covers all events, else a new one. */
const checkpointFor = async (
  transparency: TransparencyLog,
  collected: Collected,
): Promise<E.Either<StoreUnavailable | CheckpointFailure | TreeChanging, UsedCheckpoint>> => {
  const latest = await latestOf(transparency)
  if (E.isLeft(latest)) return latest
  const last = lastOf(collected)
  const index = last === null ? null : await transparency.indexOf(last.position)()
  if (latest.right !== null && index !== null && index < latest.right.size) return E.right(latest.right)
  const signed = await transparency.sign()
  if (E.isLeft(signed)) return signed
  const after = await latestOf(transparency, signed.right)
  if (E.isLeft(after)) return after
  return after.right === null ? E.left({ _tag: 'TreeChanging' }) : E.right(after.right)
}

const latestOf = async (
  transparency: TransparencyLog,
  signed: string | null = null,
): Promise<E.Either<StoreUnavailable, UsedCheckpoint | null>> => {
  const note = signed ?? (await transparency.checkpoint())
  if (note === null) return E.right(null)
  const logs = await transparency.logs()
  if (E.isLeft(logs)) return logs
  const used = checkpointWith(note, logInUse({ logs: logs.right })?.vkeys ?? [])
  return E.right(E.isRight(used) && used.right.keys.length > 0 ? used.right : null)
}
