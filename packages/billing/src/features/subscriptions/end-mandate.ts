import {
  asText,
  MandateEndId,
  type MandateId,
  type PositiveCount,
  type SubscriptionId,
  type SubscriptionRecord,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { Services } from '../../services/services.ts'
import { recordIntent } from '../outgoing/record-intent.ts'

/** Asks for the end of a mandate on the ledger, for the `number`th time. Asked for again, nothing is written. */
export const endMandate =
  (services: Services) =>
  (
    scope: Scope,
    id: SubscriptionId,
    { authorization, details }: SubscriptionRecord,
    mandateId: MandateId,
    number: PositiveCount,
    at: UnixMs,
  ): TE.TaskEither<ExecuteFailure, void> => {
    const { contract: contractId, operator: source } = authorization.mandate
    const named = derivedCommandId(`${scope.environment}/${id}`, `end ${mandateId} ${number}`)
    const owner = asText(createdId(MandateEndId, details.startedAt, named))
    const action = { _tag: 'mandate_cancellation' as const, contractId, mandateId }
    const wanted = { class: 'cancellation' as const, owner, source, action, memo: null, at }
    return TE.map(() => undefined)(recordIntent(services)(scope, wanted))
  }
