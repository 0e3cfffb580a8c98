import type { SettlementTrouble, Worker } from '@quittance/billing'
import type { Environment } from '@quittance/domain'

/**
 * Whether money goes out as it should. Its troubles make nothing unready: what waits goes on waiting. `subject` is the
 * account, the transaction, the exception or the subscription that a person has to look at.
 */
export type PayoutsReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly troubles: ReadonlyArray<PayoutTrouble>
}

/** Of one environment's network. */
export type PayoutTrouble = {
  readonly environment: Environment
  readonly reason: SettlementTrouble['_tag']
  readonly subject: string
}

export const payoutsReadiness = (troubles: ReadonlyArray<PayoutTrouble>): PayoutsReadiness => ({
  status: troubles.length === 0 ? 'ok' : 'degraded',
  troubles,
})

type Troubled = Pick<Worker, 'troubles'>

/** What the workers of this process have met. */
export const payoutTroubles = (
  workers: Readonly<Record<Environment, Troubled | null>>,
): ReadonlyArray<PayoutTrouble> => [...of('testnet', workers.testnet), ...of('mainnet', workers.mainnet)]

const of = (environment: Environment, worker: Troubled | null): ReadonlyArray<PayoutTrouble> =>
  (worker?.troubles() ?? []).map((trouble) => ({
    environment,
    reason: trouble._tag,
    subject: subjectOf(trouble),
  }))

const subjectOf = (trouble: SettlementTrouble): string => {
  if ('account' in trouble) return trouble.account
  if ('contractId' in trouble) return trouble.contractId
  if ('subscriptionId' in trouble) return trouble.subscriptionId
  return 'exceptionId' in trouble ? trouble.exceptionId : trouble.transactionHash
}
