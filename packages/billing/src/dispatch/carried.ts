import type { Environment } from '@quittance/domain'
import type { Found, IntentRow, LedgerTransactionRow } from '@quittance/projections'
import { carriersIn } from '../features/outgoing/carriers.ts'
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

/** Whether a transaction that was sent carries a waiting intent. */
export const carriedIn = async ({ services }: Pick<Outgoing, 'services'>, environment: Environment) => {
  const carriers = await carriersIn(services.readModels, environment, (status) => isSent[status])
  return (intent: Found<IntentRow>): boolean => carriers(intent).length > 0
}
