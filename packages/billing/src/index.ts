/**
 * The billing core in a process of your own: assemble services with `embedded` or `remoteLog`, make the core of them with
 * `createBilling`, and run what needs no request with `runWorker` and `runDeliverer`.
 *
 * @module @quittance/billing
 */

export type { AccessResult } from './access/access.ts'
export type { Anchor, AnchorPlace, AnchorStanding } from './audit/anchors/anchor.ts'
export type { Anchors } from './audit/anchors/anchors.ts'
export { anchorsInLog } from './audit/anchors/in-log.ts'
export { type AnchorOnLedger, compareWithLedger } from './audit/anchors/on-ledger.ts'
export { checkContents, type VaultToCheck } from './audit/check-contents.ts'
export { whyStatus } from './audit/histories/chain.ts'
export type { HistoryEntry } from './audit/histories/histories.ts'
export { type HistoryKind, kindOfId } from './audit/histories/joins.ts'
export { type JournalEntryResource, journalEntryResource } from './audit/journal/entry-resource.ts'
export { type JournalFormat, journalFormats } from './audit/journal/formats.ts'
export type { LogToCheck } from './audit/log-check.ts'
export type { LogReconciliation } from './audit/reconciliation/reconcile-log.ts'
export type { Witness } from './audit/transparency/ask-witness.ts'
export { type CheckpointDifference, compareLog } from './audit/transparency/compare-log.ts'
export type { CheckpointFailure } from './audit/transparency/failure.ts'
export {
  type LogKeeper,
  logKeeper,
  type TransparencyStanding,
  type TransparencyTrouble,
} from './audit/transparency/log-keeper.ts'
export { type ReadCheckpoint, readCheckpoints } from './audit/transparency/read-checkpoints.ts'
export type { ReadLeaves } from './audit/transparency/stored-leaf.ts'
export type { TransparencyLog } from './audit/transparency/transparency-log.ts'
export type { AsOf, KnownAhead, Readable } from './audit/two-clocks/as-of.ts'
export { LogUnreadable } from './audit/two-clocks/log-unreadable.ts'
export type { Moment } from './audit/two-clocks/moment.ts'
export type { WhatIfReport } from './audit/what-if/what-if.ts'
export type { Reconciled } from './books/reconciliation/ingestion-standing.ts'
export type { ReconcileFailure, Reconciliation } from './books/reconciliation/reconcile.ts'
export { type Billing, createBilling } from './face/billing.ts'
export type { Deployment } from './face/composition/deployment.ts'
export { embedded } from './face/composition/embedded.ts'
export { type DatabaseWithLog, inDatabase, openSharedTables } from './face/composition/in-database.ts'
export {
  databaseBillingModule,
  embeddedBillingModule,
  remoteLogAndDatabaseBillingModule,
  remoteLogBillingModule,
} from './face/composition/module.ts'
export { openRemoteLog, type RemoteLog } from './face/composition/open-remote-log.ts'
export type { ProjectedLog } from './face/composition/over-remote-log.ts'
export { remoteLog } from './face/composition/remote-log.ts'
export {
  BILLING,
  CLOCK,
  DATABASE_WITH_LOG,
  DEPLOYMENT,
  ERASED_SUBJECTS,
  MASTER_KEY,
  RATE_MEMORY,
  REMOTE_LOG,
  REMOTE_LOG_AND_DATABASE,
  SERVICES,
  VAULT,
  VAULT_DATABASE,
} from './face/composition/tokens.ts'
export type { BillingFailure } from './face/failure.ts'
export type { Payer } from './face/payer.ts'
export type { NameCounts, NameTag } from './features/book-lines/name-counter.ts'
export { type WaitingExceptions, waitingExceptions } from './features/exceptions/waiting.ts'
export type { AnnounceFailure, DeclareFailure, NewAnnouncement } from './features/funding/fundings.ts'
export type { Principal } from './features/merchants/api-keys.ts'
export type { PlatformFeeResource } from './features/merchants/platform-fees.ts'
export { contractStandings } from './features/migrations/former.ts'
export type { SettlementTrouble } from './features/outgoing/trouble.ts'
export type { QuoteView } from './features/paying/quote.ts'
export type { CollectedFees, CollectFailure } from './features/payouts/collect-fees.ts'
export { type PlatformFeeSums, platformFeeSums } from './features/payouts/fee-sums.ts'
export type {
  AssetStanding,
  SettlementCosts,
  SettlementFacts,
  SettlementStanding,
  TrustlineState,
} from './features/settlement-account/standing.ts'
export type { Allowed, SubscriptionAlarm } from './features/subscriptions/alarms.ts'
export type { Claim, ClaimRejection, Claims, KeyedRequest } from './kernel/claims.ts'
export { type Clock, deploymentTime } from './kernel/clock.ts'
export type { CommandContext } from './kernel/execute.ts'
export { fencedSql } from './kernel/fence.ts'
export { chosenSpanId, correlationNow } from './kernel/tracing/trace-ids.ts'
export { createDeliverer, type Deliverer } from './notify/delivery/deliverer.ts'
export type { Arrival } from './notify/delivery/pump.ts'
export { type AddressRanges, addressRanges, noRanges } from './notify/delivery/sending/address-ranges.ts'
export { type Sender, sender } from './notify/delivery/sending/sender.ts'
export { signedHeaders } from './notify/delivery/sending/sign.ts'
export { longestWait } from './notify/delivery/waiting.ts'
export type { AcceptLogFailure } from './operator/accept-log.ts'
export type { AccountKeys, KeyHolder } from './operator/account-keys.ts'
export type { Said } from './operator/conflicting-claim.ts'
export type { Decided, DecideFailure } from './operator/decide-outcome.ts'
export type { FindingInWords } from './operator/doctor/findings.ts'
export type { FreezeFailure, FreezeInForce, FreezeOutcome } from './operator/freezes.ts'
export { noteLackingKeys } from './operator/lacking-keys.ts'
export type { Arrived, ArriveFailure, Exported as ExportedMerchant } from './operator/leaving/arrive.ts'
export type { CheckFailure } from './operator/leaving/checked.ts'
export type { LeaveFailure } from './operator/leaving/leave.ts'
export type {
  ContractInUse,
  FormerSubscription,
  MigrationFailure,
  MigrationProgress,
} from './operator/mandate-contracts.ts'
export { missingKeys } from './operator/missing-keys.ts'
export type { MadeOperator } from './operator/operator-account.ts'
export type { Resumed, ResumeFailure } from './operator/resume-ingestion.ts'
export type { HeldMoney, HoldFailure, HoldOutcome, ScreeningDesk } from './operator/screening-desk.ts'
export type { Unresolved } from './operator/transactions.ts'
export type { Fees, MerchantUsage, OwedFees } from './operator/usage.ts'
export type { UsageLine } from './operator/usage-sums.ts'
export type { PortalDoor } from './portal/entry.ts'
export { createMailing, type Mailing, type MailTrouble } from './portal/mailing.ts'
export { type PortalVisit, portalSessionMs } from './portal/portal.ts'
export type { PortalSubscription } from './portal/portal-subscription.ts'
export type { PortalPlace, PortalView } from './portal/portal-view.ts'
export type { Receipt } from './portal/receipts/receipt.ts'
export type { ApprovalResource } from './resources/approval.ts'
export type { LimitsResource } from './resources/limits.ts'
export { visiblePayment } from './resources/visible.ts'
export type { Listing } from './services/listing.ts'
export type { LogStanding, RollbackReason } from './services/log-standing.ts'
export type { AnnouncedUpgrade, Network, Services } from './services/services.ts'
export type { Halt } from './stores/halts.ts'
export type { Violation } from './stores/invariant.ts'
export { readMarkFile, sqliteMark, writeMarkFile } from './stores/log-marks.ts'
export { logTree } from './stores/log-tree/log-tree.ts'
export type { Mail, Mailer, Mailers, MailFailure } from './stores/mail/mailer.ts'
export { type KeptPart, type KeptTable, readKept, replaceKept } from './stores/moving/kept-rows.ts'
export { opensUnder } from './stores/moving/opens-under.ts'
export { type Pricer, quoter } from './stores/quotes/quoter.ts'
export type { RateMemories } from './stores/quotes/rate-memory.ts'
export { type Roles, roles } from './stores/roles.ts'
export { denyFile } from './stores/screening/deny-file.ts'
export { screeningService } from './stores/screening/http-service.ts'
export { screeningBy } from './stores/screening/port.ts'
export type { SetbackCount, SetbackNotification } from './stores/setbacks/setbacks.ts'
export {
  type ProblemInWords,
  problemInWords,
  type SettlementOwner,
  type SettlementProblem,
  type SettlementProblemCode,
} from './stores/settlement-problems.ts'
export { type RemoteFailure, type RemoteKeys, remoteSigner } from './stores/signing/remote-signer.ts'
export type { Signer, SigningRequest } from './stores/signing/signer.ts'
export { erasedSubjectsFile } from './stores/vault/erased-subjects.ts'
export { masterKeyFile, masterKeyFromHex } from './stores/vault/master-key.ts'
export { peekVault } from './stores/vault/peek-vault.ts'
export type { Vault } from './stores/vault/port.ts'
export { postgresVault } from './stores/vault/postgres-vault.ts'
export { isOwnAlone, type RewrapFailure, rewrapPostgresVault, rewrapVault } from './stores/vault/rewrap-vault.ts'
export { sqliteVault } from './stores/vault/sqlite-vault.ts'
export { vaultSigner } from './stores/vault/vault-signer.ts'
export { principalOfMember, type SignedIn } from './team/sessions.ts'
export { type LoopReport, runDeliverer, runWorker } from './worker/run.ts'
export { createWorker, type StepFailure, type Worker, type WorkerOptions } from './worker/worker.ts'
export { type WorkerInRole, workerInRole } from './worker/worker-in-role.ts'
