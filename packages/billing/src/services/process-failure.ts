import type { LedgerUnreachable } from '@quittance/ledger'
import type { ExecuteFailure } from '../kernel/execute.ts'
import type { QuoteFailure } from '../stores/quotes/quoter.ts'
import type { ScreeningUnavailable } from '../stores/screening/port.ts'
import type { NetworkNotConfigured } from './services.ts'
import type { MerchantNotReady } from './settlements.ts'

/** Why a process stops for now: the store, the ledger or a screening did not answer, or no rate is known. It tries again later. */
export type ProcessFailure =
  | ExecuteFailure
  | QuoteFailure
  | LedgerUnreachable
  | ScreeningUnavailable
  | MerchantNotReady
  | NetworkNotConfigured
