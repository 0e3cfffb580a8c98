import type { Services } from '@quittance/billing'
import type { Environment } from '@quittance/domain'
import { environments } from './environments.ts'

/** A merchant that cannot be paid or is not set up yet. `reason` is a code of `quittance doctor`, or `not_set_up`. */
type UnreadyMerchant = {
  readonly environment: Environment
  readonly merchant: string
  readonly reason: string
  readonly since: string
}

/**
 * The merchants that cannot be paid, as far as this process knows without asking a node. They do not make the service
 * unready, because a load balancer would take it from all other merchants. Times are ISO 8601.
 */
export type SettlementReadiness = {
  readonly status: 'ok' | 'degraded'
  readonly not_set_up: number
  readonly not_payable: number
  /** At most 20: first those with refused sales, then those that were set up the least recently. */
  readonly merchants: ReadonlyArray<UnreadyMerchant>
}

const mostShown = 20

type SettlementAccounts = {
  readonly readModels: {
    readonly settlementSetUps: Pick<Services['readModels']['settlementSetUps'], 'due' | 'countDue'>
  }
  readonly seenAccounts: Pick<Services['seenAccounts'], 'refused'>
}

/** Reads only the accounts that it shows, and counts the others. */
export const settlementReadiness = async ({
  readModels: { settlementSetUps },
  seenAccounts,
}: SettlementAccounts): Promise<SettlementReadiness> => {
  const counts = await Promise.all(environments.map((each) => settlementSetUps.countDue(each, -1, 0)))
  const notSetUp = counts.reduce((sum, count) => sum + count, 0)
  const refused = seenAccounts.refused()
  const merchants: Array<UnreadyMerchant> = refused
    .slice(0, mostShown)
    .map(({ environment, merchantId, code, since }) => shown(environment, merchantId, code, since))
  const isShown = new Set(refused.map(({ environment, merchantId }) => `${environment} ${merchantId}`))
  for (const environment of environments)
    for await (const { merchantId, row } of settlementSetUps.due(environment, 0)) {
      if (merchants.length >= mostShown) break
      if (!isShown.has(`${environment} ${merchantId}`))
        merchants.push(shown(environment, merchantId, 'not_set_up', row.accountSetAt))
    }
  return {
    status: notSetUp + refused.length === 0 ? 'ok' : 'degraded',
    not_set_up: notSetUp,
    not_payable: refused.length,
    merchants,
  }
}

const shown = (environment: Environment, merchant: string, reason: string, since: number): UnreadyMerchant => ({
  environment,
  merchant,
  reason,
  since: new Date(since).toISOString(),
})
