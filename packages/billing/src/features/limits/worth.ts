import { type AssetId, type Cents, cents, maximumCents, type Stroops } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import type { Services } from '../../services/services.ts'
import { compared, quotedIn } from '../outgoing/quoted.ts'

/** The value of an amount in hundredths of a US dollar, rounded up; null if nobody knows a rate. */
export const worthOf = async (
  services: Pick<Services, 'networks' | 'settlementOf' | 'clock'>,
  scope: Scope,
  assetId: AssetId,
  amount: Stroops,
): Promise<Cents | null> => {
  const quoted = await quotedIn(services, scope, assetId)
  if (quoted === null || quoted === 0n) return null
  const worth = (amount * compared.cents + quoted - 1n) / quoted
  return worth > maximumCents ? null : cents(worth)
}
