/**
 * Stellar: building, signing, sending and following transactions; mandates; exchange rates.
 *
 * @module @quittance/ledger
 */

export { createIngestion } from './create-ingestion.ts'
export { originDomainOf } from './domain-name.ts'
export { BASE_FEE, type FeeDistribution, type FeeStats, type FeeStatsUnavailable } from './fee-stats.ts'
export { formerMandateCode } from './former-mandate-code.ts'
export { type Friendbot, friendbotAt } from './friendbot.ts'
export type {
  AccountLookUp,
  AccountView,
  Authority,
  Balance,
  ClosedLedger,
  EntriesAt,
  Holding,
  KeysOf,
  LedgerBatch,
  LedgerGateway,
  LedgerHead,
  LedgerUnreachable,
  LedgerUnreadable,
  RangePruned,
  WatchedAccounts,
} from './gateway.ts'
export { heaviestThreshold, payingThreshold, weightOf } from './gateway.ts'
export { haltedAt } from './halted-at.ts'
export type { IncomingPayment } from './incoming-payment.ts'
export type { Cursor, CursorStore, Halted, IngestedLedger, PassedOverLedger } from './ingestion.ts'
export type { MandateCharge, MandateCharged, MandateFact, MandateTerms } from './mandate.ts'
export { mandateNumbers } from './mandate-numbers.ts'
export { type CallRefusal, type Charged, refusalOfNumber, refusalOfSimulation } from './mandate-refusal.ts'
export type { MandateStanding } from './mandate-standing.ts'
export type { Movement } from './movement.ts'
export { outcomesInLedger, receivedInLedger } from './one-ledger.ts'
export type { TransactionOutcome } from './outcome.ts'
export type { OwnPayment, OwnRotation, OwnTransaction } from './own-transaction.ts'
export { horizonPaths } from './paths/horizon-paths.ts'
export type { PathFinder, PathOffer, PathsUnavailable } from './paths/path-finder.ts'
export { type Reference, referenceFrom } from './paths/reference.ts'
export { highestPrice, type PriceKind, sendMaxOf, slippageBetween } from './paths/send-max.ts'
export { type NetworkProtocol, READABLE_PROTOCOL } from './protocol.ts'
export { AddressNotAllowed, guardedLookup, isPublicAddress } from './public-address.ts'
export type { LegMemory } from './rates/jump.ts'
export type { RateMemory } from './rates/legs.ts'
export { type LiveRates, liveRates } from './rates/live/live-rates.ts'
export { publicRates } from './rates/live/public-rates.ts'
export { type RatesConfig, ratesConfigFrom } from './rates/live/rates-config.ts'
export { type Pricing, pegOf, pricingOf } from './rates/priced-asset.ts'
export {
  type AgreedQuote,
  type AmountTooLarge,
  agreedQuote,
  MAJOR_CURRENCIES,
  quoteAmount,
  quotedPairs,
} from './rates/quote.ts'
export { type RateTrouble, type RateWatch, rateWatch } from './rates/rate-watch.ts'
export { type Rational, rational } from './rates/rational.ts'
export { sandboxRates } from './rates/sandbox-rates.ts'
export type { RateObservation, RateSource, RateUnavailable } from './rates/source.ts'
export { BASE_RESERVE } from './reserve.ts'
export { type OtherHistory, otherHistory } from './reset-evidence.ts'
export { fundingUri, payUri, txUri } from './sep7.ts'
export { sharedRuns } from './shared-runs.ts'
export { localSigner } from './signing/local-signer.ts'
export type { SignerUnavailable, SigningKey, SigningPurpose } from './signing/signing-key.ts'
export { isSignedBy } from './signing/verify.ts'
export type { CallLimits, Simulation } from './simulation.ts'
export { anchorHash, buildAnchor } from './stellar/build-anchor.ts'
export {
  type BuildRejection,
  buildPathPayment,
  buildPayment,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  type PaymentOrder,
} from './stellar/build-payment.ts'
export { buildPayouts, PAYOUT_LIFETIME_MS, PAYOUTS_AT_ONCE } from './stellar/build-payouts.ts'
export { buildRecoverySigner, keepsSigners } from './stellar/build-recovery-signer.ts'
export { buildRotation } from './stellar/build-rotation.ts'
export { buildSetUp, type SetUp } from './stellar/build-set-up.ts'
export { classifyOperation } from './stellar/classify-operation.ts'
export { extractLedger } from './stellar/extractor.ts'
export { feeBump } from './stellar/fee-bump.ts'
export { type IssuerDomain, issuerDomainOf } from './stellar/issuer-domain.ts'
export { keyPairFromSeed, signEnvelope, signerOfSecret, signTransaction } from './stellar/keys.ts'
export { type ContractCall, cancelCall, chargeManyCall, createCall, renewCall } from './stellar/mandate/calls.ts'
export {
  type ContractCallOrder,
  type PreparedCall,
  type PrepareRejection,
  prepareCall,
  prepareReplacement,
} from './stellar/mandate/contract-call.ts'
export { type ContractView, creationDue, readContract } from './stellar/mandate/contract-view.ts'
export { type Deployed, type DeploymentFailure, deployContract } from './stellar/mandate/deployment.ts'
export {
  type ContractCode,
  type ContractCreation,
  contractMadeBy,
  creationCall,
} from './stellar/mandate/deployment-calls.ts'
export { latestExpiry, readCallLimits } from './stellar/mandate/limits.ts'
export { mandateIdOf, tokenContractOf } from './stellar/mandate/names.ts'
export { type PreparedCharges, prepareCharges } from './stellar/mandate/prepare-charges.ts'
export { readSignedCall, type SignedCall } from './stellar/mandate/signed-call.ts'
export { readApprovals, readMandates } from './stellar/mandate/standing.ts'
export {
  type ContractUpkeep,
  type EntryLife,
  LEDGERS_OF_A_DAY,
  livesOf,
  upkeepCall,
  upkeepDue,
} from './stellar/mandate/upkeep.ts'
export { type WatchedMandate, watchMandates } from './stellar/mandate/watched.ts'
export { ledgerModule, sandboxRatesModule } from './stellar/module/module.ts'
export {
  LEDGER_CONFIG,
  LEDGER_GATEWAYS,
  type LedgerConfig,
  type LedgerGateways,
  RATE_SOURCE,
} from './stellar/module/tokens.ts'
export { gatewayOver, type RpcNodes, type StatedNetwork, statedNetworks } from './stellar/nodes/gateway-over.ts'
export type { LedgerAlarm } from './stellar/nodes/node-alarm.ts'
export { offeredFees } from './stellar/offered-fees.ts'
export {
  buildOfflineRotation,
  type OfflineRotation,
  operationNames,
  readOfflineRotation,
} from './stellar/offline-rotation.ts'
export { type EnvelopeView, type MalformedEnvelope, readEnvelope } from './stellar/read-envelope.ts'
export { readTrustline } from './stellar/read-trustline.ts'
export { rpcGateway } from './stellar/rpc-gateway.ts'
export { signSep7 } from './stellar/sep7-signature.ts'
export { isMessageSignedBy, signMessage } from './stellar/sep53.ts'
export { writeStellarToml } from './stellar/stellar-toml.ts'
export { type StellarTomlReader, stellarTomlReader } from './stellar/stellar-toml-reader.ts'
export { accountOfKey, readStrkey, writeStrkey } from './stellar/strkey.ts'
export type { UnsignedTransaction } from './stellar/unsigned-transaction.ts'
export {
  buildChallenge,
  type ChallengeInvalid,
  readChallenge,
  type SignaturesInsufficient,
  verifyChallenge,
  type WebAuthServer,
} from './stellar/web-auth.ts'
export { isProvenDead, type SubmitFailure } from './submission.ts'
export { withAnswers } from './with-answers.ts'
