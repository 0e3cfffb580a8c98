import type { Environment, LedgerSequence } from '@quittance/domain'
import type { Found, MerchantRow } from '@quittance/projections'
import { epochBegan } from '../../kernel/epoch.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'

/**
 * The first ledger in which an account of these merchants exists, by the log: that of the payment that created it, or the
 * one at which it was assigned to the merchant. Null if no merchant has an account in the environment.
 */
export const firstLedger = async (
  { readModels }: Pick<Services, 'readModels'>,
  environment: Environment,
  merchants: ReadonlyArray<Found<MerchantRow>>,
): Promise<LedgerSequence | null> => {
  const began = await epochBegan(readModels, environment)
  return (
    await Promise.all(
      merchants.map(async ({ id, row }) => {
        const scope = { merchantId: id, environment }
        const created = new Map<string, LedgerSequence>()
        for await (const { row } of everyRow(readModels.fundings.page, scope))
          if (row.status === 'received' && row.received.reason === 'opening' && row.received.closedAt > began)
            created.set(row.received.account, row.received.ledger)
        return row.watched.flatMap((each) =>
          each.environment === environment ? [created.get(each.account) ?? each.setUpThrough] : [],
        )
      }),
    )
  )
    .flat()
    .reduce<LedgerSequence | null>((first, each) => (first === null || each < first ? each : first), null)
}
