import { asText, type Environment, hourMs, Intent, type IntentDetails, type UnixMs } from '@quittance/domain'
import { parseCheckpoint } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import type { Outgoing } from '../../features/outgoing/outgoing.ts'
import { operatorAccount } from '../../features/outgoing/signing-accounts.ts'
import { platform } from '../../kernel/platform.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { newestCheckpoint } from './newest-checkpoint.ts'
import { anchorName, newestAnchor, type RecordedAnchor } from './recorded.ts'

type Anchoring = Pick<Outgoing, 'network' | 'ingested' | 'raise'> & { readonly services: Services }

/** How soon a checkpoint is anchored again after one that came to nothing, unless anchors follow faster. */
const afterFailureMs = hourMs

/**
 * Records that the newest checkpoint is to be put on the ledger, where the last one came into a ledger `anchorEveryMs` ago, the log has grown
 * since, and none is under way. The dispatch sends it as it sends money.
 */
export const anchorCheckpoint = async (
  { services, network, ingested, raise }: Anchoring,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const everyMs = network.anchorEveryMs ?? null
  if (everyMs === null) return E.right(undefined)
  const last = await newestAnchor(services.readModels, environment)
  if (last !== null && hasFailed(last)) raise({ _tag: 'CannotAnchor', cause: 'the last anchor came to nothing' })
  if (last !== null && !isDueAfter(last, everyMs, ingested.closedAt)) return E.right(undefined)
  const newest = await newestCheckpoint(services)
  if (E.isLeft(newest)) return newest
  const signed = newest.right
  if (signed === null || (last !== null && isAnchored(last, signed.checkpoint))) return E.right(undefined)
  const operator = await operatorAccount(services, environment)
  if (operator === null) {
    raise({ _tag: 'CannotAnchor', cause: 'there is no operator account' })
    return E.right(undefined)
  }
  const { cause, owner, intent } = anchorName(environment, last === null ? 0 : last.number + 1)
  const action = { _tag: 'anchor' as const, ...signed }
  const details: IntentDetails = { class: 'anchor', owner: asText(owner), source: operator.account, action, memo: null }
  const context = stepContext({ merchantId: platform, environment }, cause, 'record intent', ingested.closedAt)
  const decide = Intent.decider.decide({ type: 'RecordIntent', ...details })
  // Another process may have recorded another checkpoint under this number.
  const recorded = await stepUnless(services.store)(['IntentAlreadyRecorded'], Intent, intent, context, decide)
  return E.map(() => undefined)(recorded)
}

const endOf = ({ intent: { row } }: RecordedAnchor) => ('end' in row ? row.end : null)

const hasFailed = (anchor: RecordedAnchor): boolean => {
  const end = endOf(anchor)
  return end !== null && end._tag !== 'settled'
}

const isDueAfter = (anchor: RecordedAnchor, everyMs: number, now: UnixMs): boolean => {
  const end = endOf(anchor)
  if (end === null) return false
  return end._tag === 'settled'
    ? now >= end.closedAt + everyMs
    : now >= anchor.intent.row.updatedAt + Math.min(everyMs, afterFailureMs)
}

/** Whether an anchor that is on the ledger covers all that a checkpoint does. */
const isAnchored = (anchor: RecordedAnchor, checkpoint: string): boolean => {
  const { action } = anchor.intent.row.details
  if (action._tag !== 'anchor' || endOf(anchor)?._tag !== 'settled') return false
  const [before, newer] = [parseCheckpoint(action.checkpoint), parseCheckpoint(checkpoint)]
  if (E.isLeft(before) || E.isLeft(newer)) return false
  return before.right.origin === newer.right.origin && newer.right.size <= before.right.size
}
