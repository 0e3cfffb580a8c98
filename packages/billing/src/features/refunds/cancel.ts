import { Refund, RefundId, type RefundRejection } from '@quittance/domain'
import { refunds as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandContext } from '../../kernel/execute.ts'
import { retrieveExisting, rowAfter } from '../../kernel/load.ts'
import { executeExpecting } from '../../kernel/step.ts'
import { type RefundResource, refundResource } from '../../resources/refund.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { withdrawApproval } from '../limits/approval-of.ts'
import { followEnd } from './end.ts'
import type { RefundServices } from './services.ts'

export type RefundNotFound = { readonly _tag: 'RefundNotFound' }

const notCancelable = ['RefundNotWaiting', 'RefundIsSucceeded', 'RefundIsFailed'] as const

export type CancelRefundFailure =
  | ProcessFailure
  | RefundNotFound
  | Extract<RefundRejection, { readonly _tag: (typeof notCancelable)[number] }>

/** Cancels a refund that waits, for its time or an approval. Its payment may be refunded again. */
export const cancelRefund = async (
  services: RefundServices,
  context: CommandContext,
  id: string,
): Promise<E.Either<CancelRefundFailure, RefundResource>> => {
  const notFound = { _tag: 'RefundNotFound' as const }
  const found = await retrieveExisting(services.store)(model, id, context, notFound)
  if (E.isLeft(found)) return found
  if (!RefundId.is(id)) return E.left(notFound)
  const approval = await withdrawApproval(services, context, id, context.at)
  if (E.isLeft(approval)) return approval
  const { at } = context
  const decide = Refund.decider.decide(
    approval.right.status === 'withdrawn'
      ? { type: 'FailRefund', reason: 'canceled', code: null, at }
      : { type: 'CancelRefund', at },
  )
  const canceled = await executeExpecting(services.store)(notCancelable, Refund, id, context, decide)
  if (E.isLeft(canceled)) return canceled
  const followed = await followEnd(services, context, id, canceled.right.state)
  return E.isLeft(followed) ? followed : E.right(refundResource(rowAfter(model, id)(canceled.right)))
}
