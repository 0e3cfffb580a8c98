import type { Scope } from '@quittance/projections'
import type { Services } from './services.ts'

/**
 * Whether everything that ingested ledgers hold for a merchant is placed. Until it is, nobody can say what has not come: no
 * session ends, no transaction is dead, nothing is charged again or canceled for want of money.
 */
export const isUpToDate =
  ({ parked }: Pick<Services, 'parked'>) =>
  ({ merchantId, environment }: Scope): boolean =>
    !parked.isWaiting(environment, merchantId)
