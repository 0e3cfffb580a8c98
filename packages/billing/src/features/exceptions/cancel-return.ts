import { Exception, type ExceptionRejection } from '@quittance/domain'
import { exceptions as model } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { CommandContext, ExecuteFailure } from '../../kernel/execute.ts'
import { rowAfter } from '../../kernel/load.ts'
import { executeExpecting } from '../../kernel/step.ts'
import { type ExceptionResource, exceptionResource } from '../../resources/exception.ts'
import { type ExceptionNotFound, loadException } from './resolve.ts'
import type { ExceptionServices } from './services.ts'

export type CancelReturnFailure =
  | ExecuteFailure
  | ExceptionNotFound
  | Extract<ExceptionRejection, { readonly _tag: 'ReturnNotWaiting' }>

/** Cancels a return that waits: a person decides again. */
export const cancelReturn = async (
  services: ExceptionServices,
  context: CommandContext,
  id: string,
): Promise<E.Either<CancelReturnFailure, ExceptionResource>> => {
  const exception = await loadException(services, context, id)
  if (E.isLeft(exception)) return exception
  const decide = Exception.decider.decide({ type: 'CancelReturn', at: context.at })
  const canceled = await executeExpecting(services.store)(['ReturnNotWaiting'], Exception, id, context, decide)
  return E.isLeft(canceled) ? canceled : E.right(exceptionResource(rowAfter(model, id)(canceled.right)))
}
