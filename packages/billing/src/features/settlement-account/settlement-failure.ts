import type { LedgerUnreachable, SignerUnavailable } from '@quittance/ledger'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { NetworkNotConfigured } from '../../services/services.ts'

/** Why a settlement account cannot be shown. */
export type SettlementFailure = StoreUnavailable | NetworkNotConfigured | LedgerUnreachable | SignerUnavailable
