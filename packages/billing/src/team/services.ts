import { type UnixMs, unixMs } from '@quittance/domain'
import type { CommandContext } from '../kernel/execute.ts'
import { correlationNow } from '../kernel/tracing/trace-ids.ts'
import type { Services } from '../services/services.ts'

/** What teams may touch. */
export type TeamServices = Pick<
  Services,
  'store' | 'readModels' | 'caughtUp' | 'clock' | 'members' | 'vault' | 'left' | 'networks' | 'freshId' | 'publicUrl'
>

/** The time of teams, their sessions and codes: the machine's, which is that of people and their apps in a sandbox, too. */
export const teamTime = (): UnixMs => unixMs(Date.now())

/**
 * The context of a command about a team. A team belongs to no network: its stream is in the environment of real money, and
 * goes by the machine's clock, which no sandbox moves.
 */
export const teamContext = (
  { freshId }: Pick<TeamServices, 'freshId'>,
  merchantId: string,
  actor: string,
): CommandContext => {
  const commandId = freshId()
  return {
    merchantId,
    environment: 'mainnet',
    commandId,
    correlationId: correlationNow(commandId),
    causationId: null,
    actor,
    at: teamTime(),
  }
}
