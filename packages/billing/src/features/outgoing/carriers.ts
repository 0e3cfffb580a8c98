import type { Environment } from '@quittance/domain'
import type { Found, IntentRow, LedgerTransactionRow, ReadModels } from '@quittance/projections'

type Status = LedgerTransactionRow['status']

/**
 * The unclosed transactions, of these statuses, that carry an intent which is not attached to them. Only a log that was put back to
 * before the intent was attached has such intents: they end with their transaction.
 */
export const carriersIn = async (
  { ledgerTransactions }: Pick<ReadModels, 'ledgerTransactions'>,
  environment: Environment,
  counts: (status: Status) => boolean,
) => {
  const carriers = new Map<string, ReadonlyArray<Found<LedgerTransactionRow>>>()
  for await (const found of ledgerTransactions.due(environment, Number.MAX_SAFE_INTEGER))
    if (counts(found.row.status))
      for (const intent of found.row.intents) carriers.set(intent, [...(carriers.get(intent) ?? []), found])
  return ({ id, row: { detachedFrom } }: Found<IntentRow>): ReadonlyArray<Found<LedgerTransactionRow>> =>
    (carriers.get(id) ?? []).filter(({ id: hash }) => !detachedFrom.some((former) => former === hash))
}
