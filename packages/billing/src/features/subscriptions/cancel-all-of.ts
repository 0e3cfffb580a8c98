import { Subscription } from '@quittance/domain'
import type { PageRequest } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { derivedCommandId } from '../../kernel/derive.ts'
import type { CommandContext, ExecuteFailure } from '../../kernel/execute.ts'
import { step } from '../../kernel/step.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'

/** Cancels all subscriptions of a deleted customer at once, none of those merged with it. Repeated, it changes nothing. */
export const cancelAllOf = async (
  { store, readModels, caughtUp }: Pick<Services, 'store' | 'readModels' | 'caughtUp'>,
  { alongside: _, answeredFrom: __, answerFrom: ___, isFirstRun: ____, ...context }: CommandContext,
  customerId: string,
): Promise<E.Either<ExecuteFailure, void>> => {
  const caught = await caughtUp.withLog()
  if (E.isLeft(caught)) return caught
  const page = (request: PageRequest) => readModels.subscriptions.page({ ...request, listedUnder: customerId })
  for await (const { id, row } of everyRow(page, context)) {
    if (row.details.customerId !== customerId || row.status === 'canceled') continue
    const own = { ...context, commandId: derivedCommandId(context.commandId, `cancel ${id}`) }
    const decide = Subscription.decider.decide({ type: 'CancelForDeletedCustomer', at: context.at })
    const canceled = await step(store)(Subscription, id, own, decide)
    if (E.isLeft(canceled)) return canceled
  }
  return E.right(undefined)
}
