import {
  type ApprovalCommand,
  type ApprovalRejection,
  type ApprovalSubject,
  OutflowApproval,
  RefundId,
  type Text,
} from '@quittance/domain'
import { approvals as model, type PageRequest, type Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandContext } from '../../kernel/execute.ts'
import { retrieveExisting, rowAfter, type StoreUnavailable } from '../../kernel/load.ts'
import { executeExpecting } from '../../kernel/step.ts'
import { type ApprovalResource, approvalResource } from '../../resources/approval.ts'
import { type Listing, listed } from '../../services/listing.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { holderOf } from '../limits/holder.ts'
import { loadPayment } from '../payments/payments.ts'
import { resumePayout } from '../payouts/resume.ts'
import { resumeRefund } from '../refunds/resume.ts'
import type { RefundServices } from '../refunds/services.ts'

const expected = ['ApprovalByRequester', 'ApprovalHasEnded'] as const

export type ApprovalNotFound = { readonly _tag: 'ApprovalNotFound' }

export type DecideFailure =
  | ProcessFailure
  | ApprovalNotFound
  | Extract<ApprovalRejection, { readonly _tag: (typeof expected)[number] }>

/** Refunds and payouts over a limit, which wait until somebody else approves or rejects them. */
export interface Approvals {
  /** Rejects `ApprovalByRequester` if the caller's key has requested it, or took the place of the key that has. */
  readonly approve: (
    context: CommandContext,
    id: string,
    note: Text | null,
  ) => TE.TaskEither<DecideFailure, ApprovalResource>
  readonly reject: (
    context: CommandContext,
    id: string,
    note: Text | null,
  ) => TE.TaskEither<DecideFailure, ApprovalResource>
  readonly retrieve: (scope: Scope, id: string) => TE.TaskEither<StoreUnavailable | ApprovalNotFound, ApprovalResource>
  readonly list: (page: PageRequest) => T.Task<Listing<ApprovalResource>>
}

export const approvals = (services: RefundServices): Approvals => ({
  approve: (context, id, note) => () => decide(services, context, id, 'GrantApproval', note),
  reject: (context, id, note) => () => decide(services, context, id, 'RejectApproval', note),
  retrieve: (scope, id) => async () =>
    E.map(approvalResource)(await retrieveExisting(services.store)(model, id, scope, { _tag: 'ApprovalNotFound' })),
  list: (page) => () => listed(services, services.readModels.approvals, page, approvalResource),
})

/** Records the decision, and does what follows from it; if this process dies in between, a worker does. */
const decide = async (
  services: RefundServices,
  context: CommandContext,
  id: string,
  type: Extract<ApprovalCommand['type'], 'GrantApproval' | 'RejectApproval'>,
  note: Text | null,
): Promise<E.Either<DecideFailure, ApprovalResource>> => {
  const found = await retrieveExisting(services.store)(model, id, context, { _tag: 'ApprovalNotFound' as const })
  if (E.isLeft(found)) return found
  const by = await holderOf(services, context.merchantId, context.actor)
  if (E.isLeft(by)) return by
  const command = OutflowApproval.decider.decide({
    type,
    by: by.right,
    note,
    at: services.clock.now(context.environment),
  })
  const decided = await executeExpecting(services.store)(expected, OutflowApproval, id, context, command)
  if (E.isLeft(decided)) return decided
  const followed = await follow(services, context, found.right.row.details.subject)
  return E.isLeft(followed) ? followed : E.right(approvalResource(rowAfter(model, id)(decided.right)))
}

const follow = async (
  services: RefundServices,
  { merchantId, environment }: Scope,
  subject: ApprovalSubject,
): Promise<E.Either<ProcessFailure, unknown>> => {
  const scope = { merchantId, environment }
  const caught = await services.caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  if (!RefundId.is(subject)) {
    const payout = await services.readModels.payouts.withId(subject)
    return payout === null ? E.right(null) : resumePayout(services, scope, payout.row.details.assetId, subject)
  }
  const refund = await services.readModels.refunds.withId(subject)
  if (refund === null) return E.right(null)
  const payment = await loadPayment(services, scope, refund.row.details.paymentId)
  if (E.isLeft(payment)) return payment.left._tag === 'PaymentNotFound' ? E.right(null) : E.left(payment.left)
  return resumeRefund(services, scope, payment.right, subject)
}
