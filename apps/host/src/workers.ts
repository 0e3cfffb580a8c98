import { createWorker, type Roles, type Services, type Worker, workerInRole } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { sharedRuns } from '@quittance/ledger'
import type { Alarm, RaiseAlarm } from './alarm.ts'

/** Null where an environment has no network. */
export type Workers = Readonly<Record<Environment, Worker | null>>

/** `roles`: where processes share a database, one of them at a time takes the steps of an environment; null: in files. */
export const workersOf = (services: Services, raise: RaiseAlarm, roles: Roles | null): Workers => {
  const open = (environment: Environment): Worker | null => {
    const alarm = (raised: Alarm): void => raise(raised, environment)
    return createWorker(services, environment, alarm, {
      onTrouble: alarm,
      onViolation: (violation) => alarm({ _tag: 'InvariantViolated', ...violation }),
      onSetback: alarm,
      onLogStanding: alarm,
    })
  }
  const worker = (environment: Environment): Worker | null =>
    roles === null ? open(environment) : workerInRole(() => open(environment), roles, environment)
  return { testnet: worker('testnet'), mainnet: worker('mainnet') }
}

export const configuredWorkers = ({ testnet, mainnet }: Workers): ReadonlyArray<Worker> =>
  [testnet, mainnet].filter((worker) => worker !== null)

/** Reads what an environment's ledger has closed until now. Callers that come meanwhile share the next reading. */
export type CatchUp = (environment: Environment) => Promise<void>

export const catchUpWith = ({ testnet, mainnet }: Workers): CatchUp => {
  const sharedStep = (worker: Worker | null) =>
    sharedRuns(async () => {
      await worker?.step()
    })
  const steps = { testnet: sharedStep(testnet), mainnet: sharedStep(mainnet) }
  return (environment) => steps[environment]()
}
