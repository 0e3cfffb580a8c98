import type { Services } from '@quittance/billing'
import type { Environment, LedgerIngestionState } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { environments } from './environments.ts'
import { inTime } from './in-time.ts'

/** A network whose ingested history has ended, since when (ISO 8601), and what to do. */
export type ShownReset = {
  readonly environment: Environment
  readonly since: string
  readonly under_way: boolean
  readonly remedy: string
}

/**
 * Whether the testnet was reset (`network_reset`), or the mainnet's ledgers were replaced by others (`ledger_replaced`). That
 * environment stands still; the service stays ready for the other one. `unknown`: the log does not answer.
 */
export type ResetsReadiness = {
  readonly status: 'none' | 'network_reset' | 'ledger_replaced' | 'unknown'
  readonly networks: ReadonlyArray<ShownReset>
}

const answerWithinMs = 800

const remedies: Readonly<Record<Environment, string>> = {
  testnet: 'quittance environment reset testnet --reason <reason>',
  mainnet: 'QUITTANCE_MAINNET_RPC_URLS: nodes of the true network. Nobody resets the mainnet',
}

export const resetsReadiness = ({ of }: Pick<Services['epochs'], 'of'>): (() => Promise<ResetsReadiness>) => {
  const each = environments.map((environment) => ({
    environment,
    stateInTime: inTime(() => of(environment), answerWithinMs),
  }))
  return async () => {
    const networks: Array<ShownReset> = []
    for (const { environment, stateInTime } of each) {
      const state = await stateInTime()
      if (state === null || E.isLeft(state)) return { status: 'unknown', networks: [] }
      const shown = shownReset(environment, state.right)
      if (shown !== null) networks.push(shown)
    }
    const isReplaced = networks.some(({ environment }) => environment === 'mainnet')
    const status = isReplaced ? 'ledger_replaced' : networks.length > 0 ? 'network_reset' : 'none'
    return { status, networks }
  }
}

const shownReset = (
  environment: Environment,
  { foundReset, resetUnderWay }: LedgerIngestionState,
): ShownReset | null => {
  const at = resetUnderWay?.at ?? foundReset?.at
  if (at === undefined) return null
  const under_way = resetUnderWay !== null
  return { environment, since: new Date(at).toISOString(), under_way, remedy: remedies[environment] }
}
