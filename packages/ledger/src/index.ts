export { originDomainOf } from './domain-name.ts'
export { BASE_FEE, type FeeDistribution, type FeeStats, type FeeStatsUnavailable } from './fee-stats.ts'
export { createFollower } from './follower.ts'
export type {
  ChainBroken,
  Cursor,
  CursorStore,
  FollowedLedger,
  Follower,
  FollowerOptions,
  Halted,
  LedgerGap,
  LedgerWentBack,
  NodesDisagree,
  Progress,
} from './following.ts'
export { type Friendbot, type FriendbotFailed, friendbotAt } from './friendbot.ts'
export type {
  AccountView,
  Authority,
  Balance,
  ClosedLedger,
  EntriesAt,
  Holding,
  LedgerBatch,
  LedgerEntry,
  LedgerGateway,
  LedgerHead,
  LedgerUnreachable,
  LedgerUnreadable,
  RangePruned,
  ReadFailure,
  ToldLedgers,
  Trustline,
  WatchedAccounts,
} from './gateway.ts'
export { haltedAt } from './halted-at.ts'
export type { IncomingPayment, Memo } from './incoming-payment.ts'
export type {
  ChargeAnswer,
  ChargedCredit,
  IntervalUnit,
  MandateCharge,
  MandateCharged,
  MandateCreated,
  MandateFact,
  MandateParty,
  MandateRecord,
  MandateTerms,
} from './mandate.ts'
export { mandateNumbers } from './mandate-numbers.ts'
export {
  type CallRefusal,
  type Charged,
  type HardCause,
  refusalOfFailure,
  refusalOfNumber,
  refusalOfSimulation,
  type TechnicalCause,
} from './mandate-refusal.ts'
export type {
  Allowance,
  ApprovalKey,
  ApprovalStanding,
  MandateKey,
  MandateStanding,
  Wallet,
} from './mandate-standing.ts'
export type { Counterparty, Movement, MovementKind } from './movement.ts'
export { oneAtATime } from './one-at-a-time.ts'
export { creditsInLedger, outcomesInLedger, receivedInLedger } from './one-ledger.ts'
export type { TransactionOutcome } from './outcome.ts'
export { horizonPaths } from './paths/horizon-paths.ts'
export type { PathFinder, PathOffer, PathsUnavailable } from './paths/path-finder.ts'
export { type Reference, referenceFrom } from './paths/reference.ts'
export { highestPrice, type PriceKind, sendMaxOf, slippageBetween } from './paths/send-max.ts'
export { AddressNotAllowed, guardedLookup, isPublicAddress } from './public-address.ts'
export type { LegMemory } from './rates/jump.ts'
export type { LegVerdict, RateMemory } from './rates/legs.ts'
export type { SourceFailure } from './rates/live/fetch-document.ts'
export { type LiveRates, liveRates } from './rates/live/live-rates.ts'
export { publicRates } from './rates/live/public-rates.ts'
export { type RatesConfig, ratesConfigFrom } from './rates/live/rates-config.ts'
export { type Peggable, type Pricing, pegOf, pricingOf } from './rates/priced-asset.ts'
export {
  type AmountTooLarge,
  MAJOR_CURRENCIES,
  type QuoteOutcome,
  type QuoteRequest,
  quoteAmount,
  quotedPairs,
} from './rates/quote.ts'
export { type RateTrouble, type RateWatch, rateWatch } from './rates/rate-watch.ts'
export { type Rational, rational } from './rates/rational.ts'
export { sandboxRates } from './rates/sandbox-rates.ts'
export type {
  ObservationRejection,
  PricedAsset,
  RateObservation,
  RateSource,
  RateUnavailable,
  RejectedObservation,
} from './rates/source.ts'
export { BASE_RESERVE } from './reserve.ts'
export { fundingUri, type PayOrder, payUri, sep7Uri, txUri } from './sep7.ts'
export type { MalformedSep7 } from './sep7-parameters.ts'
export { readSep7 } from './sep7-read.ts'
export type { PayRequest, Sep7Request, SignRequest } from './sep7-request.ts'
export { localSigner } from './signing/local-signer.ts'
export type { Signer, SignerUnavailable, SigningPurpose } from './signing/signer.ts'
export type { CallLimits, CallResources, HostError, Simulation } from './simulation.ts'
export {
  type BuildRejection,
  buildPathPayment,
  buildPayment,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  type PaymentOrder,
} from './stellar/build-payment.ts'
export {
  buildPayouts,
  PAYOUT_LIFETIME_MS,
  PAYOUTS_AT_ONCE,
  type Payout,
  type PayoutsOrder,
  type PayoutsRejection,
} from './stellar/build-payouts.ts'
export { buildSetUp, type SetUp, type SetUpOrder, type TrustlineChange } from './stellar/build-set-up.ts'
export { classifyOperation, type OperationFault } from './stellar/classify-operation.ts'
export { extractLedger, type UnreadableMeta } from './stellar/extractor.ts'
export { type FeeBumpOrder, feeBump, type UnsignedFeeBump } from './stellar/fee-bump.ts'
export { type IssuerDomain, issuerDomainOf } from './stellar/issuer-domain.ts'
export {
  keyPairFromSeed,
  type StellarKeyPair,
  signEnvelope,
  signerOfSecret,
  signTransaction,
} from './stellar/keys.ts'
export {
  type ContractCall,
  cancelCall,
  chargeCall,
  chargeManyCall,
  createCall,
  type Renewal,
  renewCall,
} from './stellar/mandate/calls.ts'
export { checkCall, type OtherCall } from './stellar/mandate/check-call.ts'
export {
  type ContractCallOrder,
  type PreparedCall,
  type PrepareRejection,
  prepareCall,
  preparedCall,
  simulatedEnvelope,
} from './stellar/mandate/contract-call.ts'
export { type CodeView, type ContractView, readCode, readContract } from './stellar/mandate/contract-view.ts'
export {
  type Deployed,
  type DeploymentFailure,
  type DeploymentOrder,
  type DeploymentStep,
  deployContract,
} from './stellar/mandate/deployment.ts'
export { chargesAtOnce, latestExpiry, readCallLimits } from './stellar/mandate/limits.ts'
export { mandateIdOf, tokenContractOf } from './stellar/mandate/names.ts'
export { type PreparedCharges, prepareCharges } from './stellar/mandate/prepare-charges.ts'
export type { CameToNothing } from './stellar/mandate/send-until-closed.ts'
export { readSignedCall, type SignedCall } from './stellar/mandate/signed-call.ts'
export { readApprovals, readMandates } from './stellar/mandate/standing.ts'
export { type EnrolmentMismatch, verifyEnrolment } from './stellar/mandate/verify-enrolment.ts'
export { ledgerModule, sandboxRatesModule } from './stellar/module/module.ts'
export {
  LEDGER_CONFIG,
  LEDGER_GATEWAYS,
  type LedgerConfig,
  type LedgerGateways,
  RATE_SOURCE,
} from './stellar/module/tokens.ts'
export { gatewayOver, type RpcNodes, type StatedNetwork, statedNetworks } from './stellar/nodes/gateway-over.ts'
export type { LedgerAlarm, LookUpContradicted, NodeAlarm, NodeSetAside } from './stellar/nodes/node-alarm.ts'
export { type OfferedFees, offeredFees } from './stellar/offered-fees.ts'
export {
  type EnvelopeView,
  type MalformedEnvelope,
  type RequestedPayment,
  readEnvelope,
} from './stellar/read-envelope.ts'
export { type RpcOptions, rpcGateway } from './stellar/rpc-gateway.ts'
export {
  type Sep7NotAuthentic,
  signSep7,
  type VerifiedSep7,
  verifySep7,
} from './stellar/sep7-signature.ts'
export { checkMemo, type MemoRequired } from './stellar/sep29.ts'
export { isMessageSignedBy, signMessage } from './stellar/sep53.ts'
export {
  type MalformedStellarToml,
  readStellarToml,
  type StellarToml,
  writeStellarToml,
} from './stellar/stellar-toml.ts'
export {
  type StellarTomlReader,
  type StellarTomlUnavailable,
  stellarTomlReader,
} from './stellar/stellar-toml-reader.ts'
export { readStrkey, type Strkey, type StrkeyRejection, writeStrkey } from './stellar/strkey.ts'
export type { UnsignedTransaction } from './stellar/unsigned-transaction.ts'
export {
  buildChallenge,
  type Challenge,
  type ChallengeInvalid,
  readChallenge,
  type SignaturesInsufficient,
  verifyChallenge,
  type WebAuthServer,
} from './stellar/web-auth.ts'
export {
  isProvenDead,
  type LedgerRange,
  type SubmitFailure,
  type Submitted,
  type TransactionLookUp,
} from './submission.ts'
