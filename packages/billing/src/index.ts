export type { AccessResult } from './access/access.ts'
export { type Billing, createBilling } from './billing.ts'
export type { QuoteView } from './checkouts/quote.ts'
export type { Claim, ClaimRejection, Claims, KeyedRequest } from './claims/port.ts'
export { embedded } from './composition/embedded.ts'
export { apartBillingModule, embeddedBillingModule } from './composition/module.ts'
export {
  BILLING,
  CLAIMS_DATABASE,
  CLOCK,
  EVENT_LOG,
  MASTER_KEY,
  NETWORKS,
  OMNIBUS_ACCOUNTS,
  PROJECTOR,
  PUBLIC_URL,
  RATE_MEMORY,
  ROWS_DATABASE,
  SERVICES,
  VAULT_DATABASE,
} from './composition/tokens.ts'
export { createDeliverer, type Deliverer } from './delivery/deliverer.ts'
export { type AddressRanges, addressRanges, noRanges } from './delivery/sending/address-ranges.ts'
export { sender } from './delivery/sending/sender.ts'
export { signedHeaders } from './delivery/sending/sign.ts'
export type { FindingInWords } from './doctor/findings.ts'
export { type WaitingExceptions, waitingExceptions } from './exceptions/waiting.ts'
export type { CommandContext } from './execute.ts'
export type { BillingFailure } from './failure.ts'
export type { Reconciled } from './following/reconcile.ts'
export type { Resumed, ResumeFailure } from './following/resume.ts'
export type { AnnounceFailure, DeclareFailure, NewAnnouncement } from './funding/fundings.ts'
export type { Violation } from './invariants/invariant.ts'
export type { Listing } from './listing.ts'
export type { Principal } from './merchants/api-keys.ts'
export type { Payer } from './payer.ts'
export { type PortalVisit, portalSessionMs } from './portal/portal.ts'
export type { PortalSubscription } from './portal/portal-subscription.ts'
export type { PortalPlace, PortalView } from './portal/portal-view.ts'
export type { Clock } from './ports.ts'
export { createWorker, type StepFailure, type Worker } from './processes/worker.ts'
export { type Quoter, quoter } from './quotes/quoter.ts'
export { type RateMemories, sqliteRateMemory } from './quotes/rate-memory.ts'
export type { NameCounts, NameTag } from './reconciliation/named-since.ts'
export type { ReconcileFailure, Reconciliation } from './reconciliation/reconcile.ts'
export type { Network, Services } from './services.ts'
export type { SetbackCount, SetbackNews } from './setbacks/setbacks.ts'
export type { Said } from './settlement/contrary.ts'
export type { Decided, DecideFailure } from './settlement/decide-end.ts'
export type { MadeOperator } from './settlement/operator.ts'
export type { Unresolved } from './settlement/transactions.ts'
export type { SettlementTrouble } from './settlement/trouble.ts'
export {
  type ProblemInWords,
  problemInWords,
  type SettlementOwner,
  type SettlementProblem,
  type SettlementProblemCode,
} from './settlement-account/problems.ts'
export {
  type AssetStanding,
  type SettlementCosts,
  type SettlementFacts,
  type SettlementStanding,
  settlementStanding,
  type TrustlineState,
} from './settlement-account/standing.ts'
export type { Allowed, SubscriptionAlarm } from './subscriptions/alarms.ts'
export { masterKeyFile, masterKeyFromHex } from './vault/master-key.ts'
export { sqliteVault } from './vault/sqlite-vault.ts'
export { vaultSigner } from './vault/vault-signer.ts'
