export type { Credit, Memo } from './credit.ts'
export type {
  AccountView,
  ClosedLedger,
  LedgerBatch,
  LedgerGateway,
  LedgerHead,
  LedgerUnreachable,
  LedgerUnreadable,
  RangePruned,
  ReadFailure,
  Trustline,
} from './gateway.ts'
export type {
  ObservationRejection,
  PricedAsset,
  RateObservation,
  RateSource,
  RateUnavailable,
  RejectedObservation,
} from './rates.ts'
export {
  isProvenDead,
  type LedgerRange,
  type SubmitFailure,
  type Submitted,
  type TransactionLookUp,
} from './submission.ts'
