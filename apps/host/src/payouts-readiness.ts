import type { SettlementTrouble, Worker } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { environments } from './environments.ts'

/**
 * The troubles of outgoing money. They do not make the service unready, because it retries. `subject` is the account,
 * transaction, exception or subscription that a person must look at.
 */
export type PayoutsReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly troubles: ReadonlyArray<PayoutTrouble>
}

export type PayoutTrouble = {
  readonly environment: Environment
  readonly reason: SettlementTrouble['_tag']
  readonly subject: string
}

/** Without anchors, which move no money: see `anchorsReadiness`. */
export const payoutsReadiness = (found: ReadonlyArray<PayoutTrouble>): PayoutsReadiness => {
  const troubles = found.filter(({ reason }) => reason !== 'CannotAnchor')
  return { status: troubles.length === 0 ? 'ok' : 'degraded', troubles }
}

type Troubled = Pick<Worker, 'troubles'>

export const payoutTroubles = (workers: Readonly<Record<Environment, Troubled | null>>): ReadonlyArray<PayoutTrouble> =>
  environments.flatMap((environment) =>
    (workers[environment]?.troubles() ?? []).map((trouble) => ({
      environment,
      reason: trouble._tag,
      subject: subjectOf(trouble),
    })),
  )

const subjectOf = (trouble: SettlementTrouble): string => {
  if ('account' in trouble) return trouble.account
  if ('contractId' in trouble) return trouble.contractId
  if ('subscriptionId' in trouble) return trouble.subscriptionId
  if ('protocol' in trouble) return `protocol ${trouble.protocol}`
  if (trouble._tag === 'LedgersUnread' || trouble._tag === 'PassedOverDiffers') return `ledger ${trouble.ledger}`
  if (trouble._tag === 'CannotAnchor') return 'log'
  if (trouble._tag === 'ScreeningUnavailable') return 'screening'
  if (trouble._tag === 'NetworkReset' || trouble._tag === 'LedgerReplaced') return 'network'
  return 'exceptionId' in trouble ? trouble.exceptionId : trouble.transactionHash
}
