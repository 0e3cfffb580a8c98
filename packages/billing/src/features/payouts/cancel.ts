import { Intent, type IntentId, Payout, PayoutId, type PayoutState } from '@quittance/domain'
import { payouts as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { CommandContext, ExecuteFailure } from '../../kernel/execute.ts'
import { retrieve, rowAfter, stateOf } from '../../kernel/load.ts'
import { executeExpecting, stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { type PayoutResource, payoutResource } from '../../resources/payout.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { withdrawApproval } from '../limits/approval-of.ts'
import type { LimitServices } from '../limits/services.ts'
import { toIntent, toTransaction } from '../outgoing/outgoing.ts'
import { intentIdOf } from '../outgoing/record-intent.ts'
import { endPayout } from './end.ts'
import { resumePayout } from './resume.ts'

export type PayoutNotFound = { readonly _tag: 'PayoutNotFound' }

/** Its transaction is released, so that it may be on the ledger; it has ended; or the operator collects its fees by it. */
export type PayoutNotCancelable = {
  readonly _tag: 'PayoutNotCancelable'
  readonly status: Exclude<PayoutState['status'], 'absent'>
}

export type CancelFailure = ProcessFailure | PayoutNotFound | PayoutNotCancelable

/** A worker may put an intent into another transaction while it is taken out of one. */
const mostTries = 5

/**
 * Cancels a payout that was not sent. Its intent is given up, which is possible only outside a transaction; a prepared
 * transaction is withdrawn first, which is possible only before its release. So the streams that decide what is sent decide
 * this too. One that waits for an approval has no intent, and needs none any more once that is withdrawn.
 */
export const cancelPayout = async (
  services: LimitServices,
  context: CommandContext,
  id: string,
): Promise<E.Either<CancelFailure, PayoutResource>> => {
  const found = await retrieve(services.store)(model, id, context)
  if (E.isLeft(found)) return found
  if (O.isNone(found.right) || !PayoutId.is(id)) return E.left({ _tag: 'PayoutNotFound' })
  const { status, details } = found.right.value.row
  if (status === 'succeeded' || status === 'failed' || details.purpose !== undefined)
    return E.left({ _tag: 'PayoutNotCancelable', status })
  const approval = await withdrawApproval(services, context, id, context.at)
  if (E.isLeft(approval)) return approval
  const resumed = await resumePayout(services, context, details.assetId, id)
  if (E.isLeft(resumed)) return resumed
  const isGivenUp =
    approval.right.status === 'withdrawn' ? E.right(true) : await giveUp(services, context, intentIdOf(context, id))
  if (E.isLeft(isGivenUp)) return isGivenUp
  if (!isGivenUp.right) return E.left({ _tag: 'PayoutNotCancelable', status: 'pending' })
  const decide = Payout.decider.decide({ type: 'CancelPayout', at: context.at })
  const canceled = await executeExpecting(services.store)(['PayoutHasEnded'], Payout, id, context, decide)
  if (E.isLeft(canceled)) {
    const { left } = canceled
    return E.left(left._tag === 'PayoutHasEnded' ? { _tag: 'PayoutNotCancelable', status: left.status } : left)
  }
  const letGo = await endPayout(services, context, id, { type: 'CancelPayout', at: context.at })
  return E.isLeft(letGo) ? letGo : E.right(payoutResource(rowAfter(model, id)(canceled.right)))
}

/** Gives the intent up. False if it was sent, or may still be. */
const giveUp = async (
  services: Pick<Services, 'store'>,
  { merchantId, environment, at }: CommandContext,
  id: IntentId,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const scope = { merchantId, environment }
  for (let tries = 0; tries < mostTries; tries++) {
    const loaded = await stateOf(services.store)(Intent, id)
    if (E.isLeft(loaded)) return loaded
    const intent = loaded.right.state
    switch (intent.status) {
      case 'absent':
        return E.right(false)
      case 'waiting': {
        const context = stepContext(scope, `${environment}/${id}`, 'cancel', at)
        const decide = Intent.decider.decide({ type: 'GiveUpIntent', reason: 'withdrawn' })
        const given = await stepUnless(services.store)(
          ['IntentIsAttached', 'IntentHasEnded'],
          Intent,
          id,
          context,
          decide,
        )
        if (E.isLeft(given)) return given
        break
      }
      case 'attached': {
        const taken = await takeOut(services, { ...scope, hash: intent.attachedTo }, at, id)
        if (E.isLeft(taken) || !taken.right) return taken
        break
      }
      case 'settled':
      case 'refused':
      case 'given_up':
      case 'reported':
        return E.right(intent.end._tag === 'given_up' && intent.end.reason === 'withdrawn')
    }
  }
  return E.right(false)
}

/** Takes an intent out of a transaction that is not released; false where it is. */
const takeOut = async (
  services: Pick<Services, 'store'>,
  ours: Parameters<typeof toTransaction>[1],
  at: CommandContext['at'],
  id: IntentId,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const by = { services, ingested: { closedAt: at } }
  const withdraw = { type: 'WithdrawTransaction' as const, reason: 'canceled' as const }
  const withdrawn = await toTransaction(by, ours, ['TransactionIsReleased', 'TransactionHasEnded'], 'cancel', withdraw)
  if (E.isLeft(withdrawn)) return withdrawn
  if (withdrawn.right === null) return E.right(false)
  const detach = { type: 'DetachIntent' as const, transactionHash: ours.hash, reason: 'withdrawn' as const }
  const detached = await toIntent(by, ours, [], id, detach)
  return E.isLeft(detached) ? detached : E.right(true)
}
