import type { Worker } from '@quittance/billing'
import type { ContractId, Environment } from '@quittance/domain'
import { LEDGERS_OF_A_DAY, upkeepDue } from '@quittance/ledger'
import { environments } from './environments.ts'

/** How many days an entry of a contract has left, of five-second ledgers; 0 once it is archived. */
export type EntryLifeLeft = {
  readonly environment: Environment
  readonly contract: ContractId
  readonly entry: 'instance' | 'code'
  readonly days_left: number
}

/**
 * The contracts that mandates name, as the workers of this process last read them. `degraded` while rent is due, which the
 * worker pays.
 */
export type RentReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly lives: ReadonlyArray<EntryLifeLeft>
}

type Kept = Readonly<Record<Environment, Pick<Worker, 'contractLives'> | null>>

export const rentReadiness = (workers: Kept): RentReadiness => {
  const lives: Array<EntryLifeLeft> = []
  let isDue = false
  for (const environment of environments)
    for (const [contract, { entries }] of workers[environment]?.contractLives() ?? []) {
      isDue ||= entries.length === 0 || upkeepDue(entries) !== null
      for (const { entry, ledgersLeft } of entries) {
        const days_left = Math.max(0, Math.floor(ledgersLeft / LEDGERS_OF_A_DAY))
        lives.push({ environment, contract, entry, days_left })
      }
    }
  return { status: isDue ? 'degraded' : 'ok', lives }
}
