import type { LedgerUnreachable, SignerUnavailable } from '@quittance/ledger'
import type { StoreUnavailable } from '../load.ts'
import type { NetworkNotConfigured } from '../services.ts'

/** Why a settlement account cannot be shown. */
export type SettlementFailure = StoreUnavailable | NetworkNotConfigured | LedgerUnreachable | SignerUnavailable
