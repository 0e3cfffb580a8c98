import type { Billing, DecideFailure, ReconcileFailure, ResumeFailure } from '@quittance/billing'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Complaint, refused } from './complaint.ts'

type FailureOf<F> = F extends (...given: never) => TE.TaskEither<infer Failure, unknown> ? Failure : never
type Failure =
  | FailureOf<Billing['merchants']['create']>
  | FailureOf<Billing['settlementAccounts']['accept']>
  | FailureOf<Billing['settlementAccounts']['setUp']>
  | FailureOf<Billing['subscriptionAlarms']['allow']>
  | FailureOf<Billing['fundings']['announce']>
  | FailureOf<Billing['fundings']['declare']>
  | ResumeFailure
  | ReconcileFailure
  | DecideFailure

/** What the billing core says, in words for the operator. The code is the failure's name in snake case. */
export const complaintOf = (failure: Failure): Complaint =>
  refused(failure._tag.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase(), wordsFor(failure))

const wordsFor = (failure: Failure): string => {
  switch (failure._tag) {
    case 'MerchantNotFound':
      return 'There is no such merchant. `quittance merchant list` shows them.'
    case 'MerchantAlreadyExists':
      return 'There is such a merchant already.'
    case 'SettlementAccountShared':
      return `The account ${failure.account} belongs to the ${failure.environment}; environments share no account.`
    case 'AssetListedTwice':
      return `The asset ${failure.assetId} is listed twice.`
    case 'DefaultAssetNotAccepted':
      return `The default asset ${failure.assetId} is not among the accepted ones.`
    case 'FundingAccountListedTwice':
      return `The account ${failure.account} is listed twice.`
    case 'FundingAccountIsSettlement':
      return `The account ${failure.account} receives for the merchant: it cannot fund itself.`
    case 'FundingAccountShared':
      return `The account ${failure.account} ${sharers[failure.by]}: what comes from it may be somebody else's.`
    case 'AnnouncementTooVague':
      return 'Say who sends it with --from, or what comes with --asset and --amount: a stranger must not fit it.'
    case 'FundingAlreadyAnnounced':
    case 'FundingNotAnnounced':
    case 'FundingAlreadyReceived':
    case 'FundingUnlikeAnnouncement':
    case 'FundingIsMovement':
    case 'FundingIsNoMovement':
      return 'Something else is recorded under this id.'
    case 'AssetNotKnown':
      return `The network does not know ${failure.assetId}: QUITTANCE_ASSETS_TESTNET and QUITTANCE_ASSETS_MAINNET declare assets. A default must be accepted.`
    case 'SignerUnavailable':
      return 'The vault cannot sign: put the right vault and master key in place.'
    case 'SetUpOutdated':
      return 'Meanwhile the merchant has another account, or accepts other assets.'
    case 'DunningScheduleInvalid':
      return `The hours of dunning_schedule must rise, and end by hour ${failure.maximumHours}.`
    case 'AppKeyWithoutScopes':
      return 'A restricted key needs at least one scope.'
    case 'ApiKeyIdTaken':
      return `There is another key ${failure.keyId} already.`
    case 'ApiKeyNotFound':
      return `There is no key ${failure.keyId}. \`quittance key list\` shows them.`
    case 'ApiKeyIsReplaced':
      return `The key ${failure.keyId} was replaced already, by ${failure.by}.`
    case 'ApiKeyIsRevoked':
      return `The key ${failure.keyId} is revoked: make another one with \`quittance key create\`.`
    case 'ReplacementUnlike':
      return `The key ${failure.keyId} is replaced by one for the same environment and scopes only.`
    case 'NetworkNotConfigured':
      return `The ${failure.environment} is not configured: set QUITTANCE_${failure.environment.toUpperCase()}_RPC_URLS.`
    case 'LedgerUnreachable':
      return 'The Stellar node did not answer. Nothing was recorded: try again later.'
    case 'ProvisionFailed':
      return `The sandbox could not set up the settlement account (${failure.reason}). Nothing was recorded.`
    case 'FollowingNotBegun':
      return `Nothing of the ${failure.environment} was followed yet: there is no merchant on it.`
    case 'FollowingNotHalted':
      return `The ledger can be followed from ${failure.walkedTo + 1} on: skipping ledgers has to be asked for with --force.`
    case 'LedgerAlreadyWalked':
      return `Everything up to ledger ${failure.walkedTo} is handled already: go on behind it.`
    case 'LedgerNotClosed':
      return `The newest ledger is ${failure.latest}: go on there, or with the next one.`
    case 'RangePruned':
      return `No node holds ledger ${failure.from} any more: the oldest one held is ${failure.oldest}.`
    case 'LedgerUnreadable':
      return `Ledger ${failure.sequence} cannot be read: go on behind it.`
    case 'LedgerGap':
      return `A node left out ledger ${failure.expected}. Nothing was compared.`
    case 'ChainBroken':
      return `Ledger ${failure.sequence} does not continue the one before it. Nothing was compared.`
    case 'LedgerWentBack':
      return `The newest ledger is ${failure.latest.sequence}, before what was read. Nothing was compared.`
    case 'NodesDisagree':
      return `Two nodes tell ledger ${failure.sequence} differently. Nothing was compared.`
    case 'LedgerNotWalked':
      return `Ledgers are walked up to ${failure.walkedTo} so far: what came later is in no books yet.`
    case 'RangeEmpty':
      return `No ledger lies between ${failure.from} and ${failure.to}.`
    case 'CursorMoved':
      return 'Meanwhile the ledger was followed on. The cursor stays there: look at /ready before trying again.'
    case 'TransactionNotFound':
      return `There is no transaction ${failure.transactionHash} of ours. \`quittance transaction list\` shows those that wait.`
    case 'TransactionHasEnded':
      return `It has ended already: ${failure.end}.`
    case 'EndIsAwaited':
      return `It may still come into a ledger, or into one that is still to be walked: it is valid until ${new Date(failure.maxTime).toISOString()}.`
    case 'EndIsProven':
      return failure.ledger === null
        ? 'It is proven that no ledger holds it. Nothing was recorded: a worker ends it by itself.'
        : `Ledger ${failure.ledger} holds it: it ${failure.as}. Nothing was recorded.`
    case 'LedgerDoesNotHoldIt':
      return `Ledger ${failure.ledger} does not hold it, or cannot. Nothing was recorded.`
    case 'SequenceNotUsed':
      return 'Nobody has used its sequence number, so no ledger holds it. Nothing was recorded.'
    case 'SubscriptionNotFound':
      return 'There is no such subscription. `quittance subscription list` shows those that wait for a person.'
    case 'ForeignStream':
      return 'This belongs to another merchant.'
    case 'TooManyConflicts':
      return 'Others keep changing this merchant. Nothing was recorded: try again.'
    case 'StepRejected':
      return `A step in ${failure.stream} was rejected (${failure.rejection}). This is a defect of the service: report it.`
    case 'ClaimLost':
      return 'Another request with the same key came first. Nothing was recorded.'
    case 'StoreUnavailable':
      return 'The event log cannot be used (disk, lock or file). Nothing was recorded.'
    case 'OutcomeUnknown':
      return 'Nobody can say whether this was recorded: look with a `list` command before trying again.'
  }
}

const sharers = {
  omnibus: 'belongs to many, by QUITTANCE_OMNIBUS_ACCOUNTS',
  merchant: 'belongs to another merchant',
  service: 'belongs to the service, whose payments are recognised anyway',
} as const
