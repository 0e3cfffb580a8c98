import type { UnixMs } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { derivedCommandId } from './derive.ts'
import type { CommandContext } from './execute.ts'
import { correlationNow } from './tracing/trace-ids.ts'

/** The actor of everything that a process does by itself. */
export const processActor = 'process'

/**
 * The context of a step that follows from `cause`. The same cause and step always give the same command id, so a step that
 * runs again writes nothing twice.
 */
export const stepContext = (
  { merchantId, environment }: Scope,
  cause: string,
  step: string,
  at: UnixMs,
): CommandContext => ({
  merchantId,
  environment,
  commandId: derivedCommandId(cause, step),
  correlationId: correlationNow(derivedCommandId(cause, 'all steps')),
  causationId: null,
  actor: processActor,
  at,
})

/** The context of a step that follows from the resource with this id. */
export const stepContextOf = (scope: Scope, id: string, step: string, at: UnixMs): CommandContext =>
  stepContext(scope, derivedCommandId(scope.environment, id), step, at)
