import type { Scope } from '@quittance/projections'
import type { Services } from './services.ts'

/**
 * Whether everything that ingested ledgers hold for a merchant is placed. Before, nobody knows what has not come: no session
 * ends, no transaction is dead, no charge is repeated, no return begins, nothing is canceled for lack of money.
 */
export const isUpToDate =
  ({ parked }: Pick<Services, 'parked'>) =>
  async ({ merchantId, environment }: Scope): Promise<boolean> =>
    !(await parked.isWaiting(environment, merchantId))
