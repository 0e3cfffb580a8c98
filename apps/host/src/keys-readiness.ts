import type { Services } from '@quittance/billing'
import type { Environment } from '@quittance/domain'

/**
 * The keys that the log names and the vault lacked at the start, as an older copy of it does. They do not make the service
 * unready, since it does what needs none of them. `subject` is the account or the customer.
 */
export type KeysReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly lacking: number
  readonly present: ReadonlyArray<{
    readonly environment: Environment
    readonly key: string
    readonly subject: string
  }>
}

const mostShown = 20

export const keysReadiness = (vault: Pick<Services['vault'], 'lacking'>): KeysReadiness => {
  const lacking = vault.lacking()
  return {
    status: lacking.length === 0 ? 'ok' : 'degraded',
    lacking: lacking.length,
    present: lacking.slice(0, mostShown).map(({ name, environment, subject }) => ({ environment, key: name, subject })),
  }
}
