import {
  asText,
  type IntentId,
  MandateEndId,
  type MandateId,
  type PositiveCount,
  placeOfMandate,
  type SubscriptionId,
  type SubscriptionRecord,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import type * as E from 'fp-ts/lib/Either.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { Services } from '../../services/services.ts'
import { recordIntent } from '../outgoing/record-intent.ts'

/** Requests the cancellation of a mandate on the ledger. A repeated request writes nothing. */
export const endMandate = (
  services: Pick<Services, 'store'>,
  scope: Scope,
  id: SubscriptionId,
  subscription: SubscriptionRecord,
  { mandateId, number }: { readonly mandateId: MandateId; readonly number: PositiveCount },
  at: UnixMs,
): Promise<E.Either<ExecuteFailure, IntentId>> => {
  const { details } = subscription
  const { contract: contractId, operator: source } = placeOfMandate(subscription, mandateId)
  const named = derivedCommandId(`${scope.environment}/${id}`, `end ${mandateId} ${number}`)
  const owner = asText(createdId(MandateEndId, details.startedAt, named))
  const action = { _tag: 'mandate_cancellation' as const, contractId, mandateId }
  return recordIntent(services, scope, { class: 'cancellation', owner, source, action, memo: null, at })
}
