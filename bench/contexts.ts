import { randomUUID } from 'node:crypto'
import type { UnixMs } from '@quittance/domain'

/** Makes the context of each new command, given at the clock's time. */
export const contextsFrom = (now: () => UnixMs) => () => {
  const commandId: string = randomUUID()
  const rest = { correlationId: commandId, causationId: null, actor: 'bench', at: now() }
  return { environment: 'testnet' as const, commandId, ...rest }
}
