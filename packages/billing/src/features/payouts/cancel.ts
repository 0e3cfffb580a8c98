import { Intent, type IntentId, LedgerTransaction, Payout, PayoutId, type PayoutState } from '@quittance/domain'
import { payouts as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, type ExecuteFailure, execute, fold } from '../../kernel/execute.ts'
import { orNotFound, retrieveLater, rowAfter } from '../../kernel/load.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { type PayoutResource, payoutResource } from '../../resources/payout.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import type { Services } from '../../services/services.ts'
import { unlessRejected } from '../../services/steps.ts'
import { toIntent, toTransaction } from '../outgoing/outgoing.ts'
import { intentIdOf } from '../outgoing/record-intent.ts'
import { endPayout } from './end.ts'
import { resumePayout } from './resume.ts'

export type PayoutNotFound = { readonly _tag: 'PayoutNotFound' }

/** Its transaction is released, so that it may be on the ledger; or it has ended. */
export type PayoutNotCancelable = {
  readonly _tag: 'PayoutNotCancelable'
  readonly status: Exclude<PayoutState['status'], 'absent'>
}

export type CancelFailure = ProcessFailure | PayoutNotFound | PayoutNotCancelable

/** A worker may put an intent into another transaction while it is taken out of one. */
const mostTries = 5

/**
 * Cancels a payout that nobody has sent. Its intent is given up, which only one that stands in no transaction can be; a
 * transaction that is prepared is withdrawn before, which only one that is not released can be. So the streams that decide
 * what is sent decide this too.
 */
export const cancelPayout =
  (services: Services) =>
  (context: CommandContext, id: string): TE.TaskEither<CancelFailure, PayoutResource> =>
  async () => {
    const found = await pipe(
      retrieveLater(services.store)(model, id, context),
      TE.chainEitherKW(orNotFound<PayoutNotFound>({ _tag: 'PayoutNotFound' })),
    )()
    if (E.isLeft(found)) return found
    if (!PayoutId.is(id)) return E.left({ _tag: 'PayoutNotFound' })
    const { status, details } = found.right.row
    if (status === 'succeeded' || status === 'failed') return E.left({ _tag: 'PayoutNotCancelable', status })
    const carried = await resumePayout(services, context, details.assetId, id)
    if (E.isLeft(carried)) return carried
    const isGivenUp = await giveUp(services, context, intentIdOf(context, id))
    if (E.isLeft(isGivenUp)) return isGivenUp
    if (!isGivenUp.right) return E.left({ _tag: 'PayoutNotCancelable', status: 'pending' })
    const decide = Payout.decider.decide({ type: 'CancelPayout', at: context.at })
    const canceled = await execute(services.store)(Payout, id, context, decide)
    if (E.isLeft(canceled)) {
      if (canceled.left._tag === 'PayoutHasEnded')
        return E.left({ _tag: 'PayoutNotCancelable', status: canceled.left.status })
      if (canceled.left._tag === 'PayoutAlreadyExists' || canceled.left._tag === 'PayoutNotFound')
        throw new Error(`${id} was refused its cancellation: ${canceled.left._tag}`)
      return E.left(canceled.left)
    }
    const letGo = await endPayout(services, context, id, { type: 'CancelPayout', at: context.at })
    return E.isLeft(letGo) ? letGo : E.right(payoutResource(rowAfter(model, id)(canceled.right)))
  }

/** Whether nobody can send it any more. */
const giveUp = async (
  services: Services,
  { merchantId, environment, at }: CommandContext,
  id: IntentId,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const scope = { merchantId, environment }
  for (let tries = 0; tries < mostTries; tries++) {
    const stream = await services.store.readStream(`${Intent.category}-${id}`)()
    if (E.isLeft(stream)) return stream
    const intent = fold(Intent, stream.right.events)
    switch (intent.status) {
      case 'absent':
        return E.right(false)
      case 'waiting': {
        const context = stepContext(scope, `${environment}/${id}`, 'cancel', at)
        const decide = Intent.decider.decide({ type: 'GiveUpIntent', reason: 'withdrawn' })
        const given = unlessRejected(await execute(services.store)(Intent, id, context, decide))
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
  services: Services,
  ours: Parameters<typeof toTransaction>[1],
  at: CommandContext['at'],
  id: IntentId,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const by = { services, ingested: { closedAt: at } }
  const withdraw = { type: 'WithdrawTransaction' as const, reason: 'canceled' as const }
  const withdrawn = await toTransaction(by, ours, ['TransactionIsReleased', 'TransactionHasEnded'], 'cancel', withdraw)
  if (E.isLeft(withdrawn)) return withdrawn
  const stream = await services.store.readStream(`${LedgerTransaction.category}-${ours.hash}`)()
  if (E.isLeft(stream)) return stream
  const isWithdrawn = stream.right.events.some(({ type }) => type === 'TransactionWithdrawn')
  if (!isWithdrawn) return E.right(false)
  const detach = { type: 'DetachIntent' as const, transactionHash: ours.hash, reason: 'withdrawn' as const }
  const detached = await toIntent(by, ours, [], id, detach)
  return E.isLeft(detached) ? detached : E.right(true)
}
