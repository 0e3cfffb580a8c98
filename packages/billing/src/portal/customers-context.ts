import type { Scope } from '@quittance/projections'
import type { CommandContext } from '../kernel/execute.ts'
import { correlationNow } from '../kernel/tracing/trace-ids.ts'
import type { PortalServices } from './services.ts'

/** The context of what a customer does. */
export const customersContext = (
  { freshId, clock }: Pick<PortalServices, 'freshId' | 'clock'>,
  { merchantId, environment }: Scope,
): CommandContext => {
  const commandId = freshId()
  const at = clock.now(environment)
  const correlationId = correlationNow(commandId)
  return { merchantId, environment, commandId, correlationId, causationId: null, actor: 'customer', at }
}
