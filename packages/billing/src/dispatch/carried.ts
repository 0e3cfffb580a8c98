import type { Environment } from '@quittance/domain'
import type { Found, IntentRow, LedgerTransactionRow } from '@quittance/projections'
import type { Outgoing } from '../features/outgoing/outgoing.ts'

/** Of transactions that were sent, or that a ledger holds, and that are not closed yet. */
const isSent: Readonly<Record<LedgerTransactionRow['status'], boolean>> = {
  prepared: false,
  released: true,
  withdrawn: false,
  succeeded: true,
  failed: true,
  dead: false,
  decided: true,
  closed: false,
}

/**
 * Whether a transaction that was sent carries a waiting intent. Only a log that was put back to before the intent was
 * attached has such intents: they end with their transaction.
 */
export const carriedIn = ({ services }: Pick<Outgoing, 'services'>, environment: Environment) => {
  const carriers = new Map<string, ReadonlyArray<string>>()
  for (const { id, row } of services.readModels.ledgerTransactions.due(environment, Number.MAX_SAFE_INTEGER))
    if (isSent[row.status])
      for (const intent of row.intents) carriers.set(intent, [...(carriers.get(intent) ?? []), id])
  return ({ id, row: { detachedFrom } }: Found<IntentRow>): boolean =>
    carriers.get(id)?.some((hash) => !detachedFrom.some((former) => former === hash)) ?? false
}
