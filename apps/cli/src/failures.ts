import type { AcceptLogFailure, Billing, DecideFailure, ReconcileFailure, ResumeFailure } from '@quittance/billing'
import { decimalFromStroops } from '@quittance/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandError, refused } from './command-error.ts'

type FailureOf<F> = F extends (...given: never) => TE.TaskEither<infer Failure, unknown> ? Failure : never
type Payouts = Billing['payouts']
type Members = Billing['team']['members']
type LeftOf<F extends (...given: never) => Promise<unknown>> = Extract<
  Awaited<ReturnType<F>>,
  { readonly _tag: 'Left' }
>['left']
export type Failure =
  | FailureOf<Billing['merchants']['create']>
  | FailureOf<Billing['settlementAccounts']['accept']>
  | FailureOf<Billing['settlementAccounts']['setUp']>
  | FailureOf<Billing['subscriptionAlarms']['allow']>
  | FailureOf<Billing['fundings']['announce']>
  | FailureOf<Billing['fundings']['declare']>
  | FailureOf<Payouts['request']>
  | FailureOf<Payouts['cancel']>
  | FailureOf<Payouts['collectFees']>
  | FailureOf<Payouts['balance']>
  | FailureOf<Payouts['destinations']['register']>
  | FailureOf<Billing['limits']['set']>
  | FailureOf<Billing['approvals']['approve']>
  | FailureOf<Billing['operator']['create']>
  | FailureOf<Billing['channels']['create']>
  | FailureOf<Billing['accountKeys']['rotate']>
  | FailureOf<Billing['accountRecovery']['submit']>
  | FailureOf<Billing['freezes']['freeze']>
  | FailureOf<Billing['closeMerchant']>
  | FailureOf<Billing['mandateContracts']['migrate']>
  | FailureOf<Billing['operator']['adopt']>
  | FailureOf<Billing['screening']['decide']>
  | FailureOf<Billing['exportCustomer']>
  | LeftOf<Members['inviteByOperator']>
  | LeftOf<Members['remove']>
  | FailureOf<Billing['evidence']>
  | FailureOf<Billing['histories']['of']>
  | FailureOf<Billing['customers']['merge']>
  | FailureOf<Billing['whatIf']>
  | ResumeFailure
  | FailureOf<Billing['networkResets']['reset']>
  | ReconcileFailure
  | DecideFailure
  | AcceptLogFailure
  | FailureOf<Billing['transparency']['beginAgain']>

/** A failure of the billing core, in words for the operator. The code is the failure's name in snake case. */
export const failureError = (failure: Failure): CommandError =>
  refused(failure._tag.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase(), wordsFor(failure))

const wordsFor = (failure: Failure): string => {
  switch (failure._tag) {
    case 'NoTransparencyLog':
      return 'No checkpoint was ever signed here: `quittance checkpoint` signs the first.'
    case 'LogRolledBack':
      return 'The event log went back, and nobody has accepted that yet: quittance restore accept --reason <reason>'
    case 'CheckpointNotContinued':
      return `The log has ${failure.size} events and does not continue the checkpoint of ${failure.kept} events that was signed: it is an older copy, or it was changed. \`quittance verify\` shows where.`
    case 'LogContinues':
      return `The log continues what was signed of ${failure.origin}, so it goes on under that name.`
    case 'LogKeyLacking':
      return `The vault lacks the key that signs checkpoints (${failure.vkey}): put the newer vault in place. If it is lost: quittance checkpoint --rotate-key --reason <reason>`
    case 'CheckpointsNotKept':
      return 'The file of checkpoints in the data directory cannot be read or written: look at its rights, and at the disk.'
    case 'MerchantNotFound':
      return 'There is no such merchant. `quittance merchant list` shows them.'
    case 'PaymentNotFound':
      return 'The merchant has no such payment in this environment.'
    case 'TreeChanging':
      return 'The tree over the log is being made again: try again in a minute.'
    case 'HistoryNotFound':
      return `There is no such ${failure.kind.replaceAll('_', ' ')}.`
    case 'EntryNotFound':
      return 'The history has no such entry.'
    case 'CustomerNotFound':
      return 'The merchant has no such customer in this environment.'
    case 'MemberNotFound':
      return 'The team has no such member. `quittance member list` shows them.'
    case 'MemberEmailTaken':
      return 'A member of this or another team has this email.'
    case 'LastOwner':
      return 'The team needs another owner first.'
    case 'TeamFull':
      return `A team has at most ${failure.most} members.`
    case 'SameCustomer':
      return '--from and --into name the same customer.'
    case 'CustomerIsMerged':
      return `${failure.customerId} was merged into ${failure.into}: use that id.`
    case 'SubscribedTwice':
      return `Both have a subscription of a product that allows one: end one of ${failure.subscriptionIds.join(' and ')} first.`
    case 'CustomerErased':
      return `The customer was erased${failure.at === null ? '' : ` on ${new Date(failure.at).toISOString()}`}: the key of all personal data is destroyed, so nobody can export it.`
    case 'NotHeld':
      return 'Nothing of this name is held, or it is decided. `quittance screening list` lists what is held.'
    case 'NothingToReturn':
      return 'A charge that was never made has nothing to return: accept or keep it, or cancel the subscription.'
    case 'ExceptionIsResolved':
    case 'ReturnUnderWay':
    case 'ApplicationUnderWay':
      return 'It is decided already, or on its way back.'
    case 'SenderUnknown':
      return 'Nobody can say which account it came from, so it cannot go back: accept or keep it.'
    case 'InsufficientFunds':
      return 'The settlement account does not hold the amount, or would lose its reserve.'
    case 'ExceptionNotFound':
    case 'CheckoutNotFound':
    case 'NotApplicable':
    case 'NotReturnable':
    case 'HeldForOperator':
    case 'DestinationNotAllowed':
    case 'CreditDoesNotFit':
      return 'This cannot be done with it. `quittance screening list` lists what is held.'
    case 'MainnetIsNeverReset':
      return 'Nobody resets the mainnet: if its ledgers look replaced, check the nodes.'
    case 'ResetNotFinished':
      return 'Something is begun again each time that it is ended: stop the service, and run the command again.'
    case 'NetworkNotReset':
      return 'Nothing shows that the network was reset; --force resets the environment all the same.'
    case 'EpochHasEnded':
      return 'Another process has reset the network meanwhile: `quittance environment show`.'
    case 'MerchantHasLeft':
    case 'MerchantLeftElsewhere':
      return 'The merchant has left this installation for another one.'
    case 'MerchantHasNotLeft':
      return 'The merchant has not left another installation.'
    case 'KeysNotRotated':
      return `Nothing proves that no key from where the merchant comes has weight on ${failure.accounts.join(', ')}: \`quittance account show\` lists the keys. \`quittance account rotate\` takes the weight of the service's, and \`quittance recovery set\` replaces a recovery signer; where that alone may change signers, it signs what \`quittance recovery prepare\` makes here. Nothing moves before.`
    case 'MerchantNeeded':
      return 'Everything is frozen for one merchant at a time.'
    case 'MerchantAlreadyExists':
      return 'There is such a merchant already.'
    case 'MerchantNotReady':
      return `The merchant has no settlement account on the ${failure.environment}.`
    case 'SettlementAccountIsOwn':
      return 'The merchant holds the key of the settlement account, and withdraws from it directly.'
    case 'SettlementAccountShared':
      return `The account ${failure.account} belongs to the ${failure.environment}; environments share no account.`
    case 'AssetListedTwice':
      return `The asset ${failure.assetId} is listed twice.`
    case 'DefaultAssetNotAccepted':
      return `The default asset ${failure.assetId} is not among the accepted ones.`
    case 'FundingAccountListedTwice':
      return `The account ${failure.account} is listed twice.`
    case 'FundingAccountIsSettlement':
      return `The account ${failure.account} is the settlement account itself: it cannot fund itself.`
    case 'FundingAccountShared':
      return `The account ${failure.account} ${sharers[failure.by]}: a payment from it may be another person's.`
    case 'AnnouncementTooVague':
      return 'Name the sender with --from, or the payment with --asset and --amount: no other payment may match.'
    case 'FundingAlreadyAnnounced':
    case 'FundingNotAnnounced':
    case 'FundingAlreadyReceived':
    case 'FundingUnlikeAnnouncement':
    case 'FundingIsMovement':
    case 'FundingIsNoMovement':
      return 'Something else is recorded under this id.'
    case 'AssetNotKnown':
      return `The network does not know ${failure.assetId}: declare assets in QUITTANCE_ASSETS_TESTNET and QUITTANCE_ASSETS_MAINNET. The default must be an accepted asset.`
    case 'SignerUnavailable':
      return 'The vault cannot sign: check the vault and the master key.'
    case 'SetUpOutdated':
      return "The merchant's account or accepted assets have changed meanwhile."
    case 'DunningScheduleInvalid':
      return `The hours of dunning_schedule must rise, and end by hour ${failure.maximumHours}.`
    case 'OtherPriceRefused':
      return failure.why === 'no_product'
        ? `prices: nobody here sells ${failure.productId}.`
        : `prices: ${failure.productId}: the currency of this product has no such price.`
    case 'FeeAccountNotConfigured':
      return `Nothing says where fees go: set QUITTANCE_${failure.environment.toUpperCase()}_FEE_ACCOUNT.`
    case 'PlatformFeeBackdated':
      return 'What was sold keeps its fee: name a moment that is still ahead, or none for now.'
    case 'AppKeyWithoutScopes':
      return 'A restricted key needs at least one scope.'
    case 'ApiKeyIdTaken':
      return `Another key has the id ${failure.keyId}.`
    case 'ApiKeyNotFound':
      return `There is no key ${failure.keyId}. \`quittance key list\` shows them.`
    case 'ApiKeyIsReplaced':
      return `The key ${failure.by} has already replaced the key ${failure.keyId}.`
    case 'ApiKeyIsRevoked':
      return `The key ${failure.keyId} is revoked: make another one with \`quittance key create\`.`
    case 'ReplacementUnlike':
      return `A key that replaces ${failure.keyId} must have the same environment and scopes.`
    case 'NetworkNotConfigured':
      return `The ${failure.environment} is not configured: set QUITTANCE_${failure.environment.toUpperCase()}_RPC_URLS.`
    case 'LedgerUnreachable':
      return 'The Stellar node did not answer. Nothing was recorded: try again later.'
    case 'ProvisionFailed':
      return `The sandbox could not set up the settlement account (${failure.reason}). Nothing was recorded.`
    case 'FollowingNotBegun':
      return `No ledger of the ${failure.environment} has been ingested yet: there is no merchant on it.`
    case 'TooManyPassedOver':
      return `Too many ledgers of protocol ${failure.protocol} were passed over.`
    case 'FollowingNotHalted':
      return `Ingestion can go on with ledger ${failure.walkedTo + 1}: only --force skips ledgers.`
    case 'LedgerAlreadyWalked':
      return `Every ledger up to ${failure.walkedTo} is ingested already: name a later one.`
    case 'LedgerNotClosed':
      return `The newest ledger is ${failure.latest}: name that one or the next.`
    case 'RangePruned':
      return `No node holds ledger ${failure.from} any more: the oldest available one is ${failure.oldest}.`
    case 'LedgerUnreadable':
      return `Ledger ${failure.sequence} cannot be read: name a later one.`
    case 'LedgersNotIngested':
      return `Ledgers of the ${failure.environment} are ingested up to ${failure.ingestedTo}, and ${failure.newest === null ? 'no node tells the newest' : `the newest is ${failure.newest}`}: start the service and wait, or --force.`
    case 'LedgerGap':
      return `A node left out ledger ${failure.expected}. Nothing was compared.`
    case 'ChainBroken':
      return `Ledger ${failure.sequence} does not continue the one before it. Nothing was compared.`
    case 'LedgerWentBack':
      return `The newest ledger is ${failure.latest.sequence}, which is older than ledgers already read. Nothing was compared.`
    case 'NodesDisagree':
      return `Two nodes disagree about ledger ${failure.sequence}. Nothing was compared.`
    case 'LedgerNotWalked':
      return `Ledgers are ingested up to ${failure.walkedTo}: the books hold nothing of later ones yet.`
    case 'RangeEmpty':
      return `No ledger lies between ${failure.from} and ${failure.to}.`
    case 'CursorMoved':
      return 'Ingestion has gone on meanwhile, and its cursor stays there: look at /ready before trying again.'
    case 'TransactionNotFound':
      return `There is no transaction ${failure.transactionHash} of this service. \`quittance transaction list\` shows the undecided ones.`
    case 'TransactionHasEnded':
      return `It has ended already: ${failure.end}.`
    case 'EndIsAwaited':
      return `A ledger may still include it, or one that is not ingested yet: it is valid until ${new Date(failure.maxTime).toISOString()}.`
    case 'EndIsProven':
      return failure.ledger === null
        ? 'It is proven that no ledger holds it. Nothing was recorded: a worker records that by itself.'
        : `Ledger ${failure.ledger} holds it: it ${failure.as}. Nothing was recorded.`
    case 'LedgerDoesNotHoldIt':
      return `Ledger ${failure.ledger} does not hold it, or cannot. Nothing was recorded.`
    case 'SequenceNotUsed':
      return 'Its sequence number is unused, so no ledger holds it. Nothing was recorded.'
    case 'SubscriptionNotFound':
      return 'There is no such subscription. `quittance subscription list` shows the ones that need a decision.'
    case 'PerhapsPaid':
      return `The same amount went to this destination, and its purpose is not known any more: resolve ${failure.exceptionId} first.`
    case 'BalanceTooLow':
      return `Only ${decimalFromStroops(failure.available)} can be paid out.`
    case 'TooManyPayouts':
      return `${failure.most} payouts of this asset are under way.`
    case 'LimitedKeyNotFound':
      return 'The merchant has no such key in this environment. `quittance key list` shows them.'
    case 'ApprovalNotFound':
      return 'There is no such approval. `quittance approval list` shows what waits.'
    case 'ApprovalByRequester':
      return 'Somebody else than its requester has to approve it.'
    case 'ApprovalHasEnded':
      return `It is ${failure.status}.`
    case 'PayoutNotFound':
      return 'There is no such payout.'
    case 'PayoutNotCancelable':
      return failure.status === 'pending' ? 'It is on its way to the ledger.' : `It is ${failure.status}.`
    case 'PayoutDestinationNotFound':
      return 'No such destination is registered: `quittance merchant destination` registers one.'
    case 'PayoutScheduleNotFound':
      return 'There is no such schedule.'
    case 'DestinationNotUsableYet':
      return `The destination can be used from ${new Date(failure.usableFrom).toISOString()} on.`
    case 'DestinationAmbiguous':
      return 'Several destinations have this address: name one by its id.'
    case 'DestinationUnfit':
      return `The destination cannot take it: ${failure.reason}.`
    case 'AddressMalformed':
      return 'Not an address of a Stellar account (G… or M…).'
    case 'MemoBesideMuxed':
      return 'An address that begins with M needs no memo.'
    case 'AmountTooLarge':
    case 'BalanceOutdated':
    case 'ChallengeInvalid':
    case 'ChallengeSpent':
    case 'MemoNotRegistered':
    case 'MetadataKeyTooLong':
    case 'MetadataNotAnObject':
    case 'MetadataTooDeep':
    case 'MetadataTooLarge':
    case 'MetadataTooManyKeys':
    case 'MetadataValueNotText':
    case 'PayoutDestinationAlreadyExists':
    case 'RateUnavailable':
    case 'ScreeningUnavailable':
    case 'SignaturesInsufficient':
      return 'Nothing was recorded. `quittance merchant payouts` shows the payouts that are.'
    case 'ForeignStream':
      return 'This belongs to another merchant.'
    case 'TooManyConflicts':
      return 'Other changes kept conflicting with this one. Nothing was recorded: try again.'
    case 'StepRejected':
      return `A step in ${failure.stream} was rejected (${failure.rejection}). This is a defect of the service: report it.`
    case 'ClaimLost':
      return 'Another request with the same key came first. Nothing was recorded.'
    case 'AccountNotCreated':
      return 'There is no such account. `quittance operator create` and `quittance channel create` make them.'
    case 'AccountNotOnLedger':
      return `The ledger does not hold the account ${failure.account} yet: it has no keys to rotate.`
    case 'KeyWithoutWeight':
      return `No key of the vault has weight on ${failure.account}: the vault is older than the last rotation, or another signer has taken it. Put the newer vault in place.`
    case 'RotationUnderWay':
      return `${failure.account} is being rotated to ${failure.to}, which a copy of the vault may have: wait until \`quittance account show\` says that it has ended, and run the command again.`
    case 'RecoveryKeyNeeded':
      return `Only the recovery key may change the signers of ${failure.account}: \`quittance recovery prepare\`.`
    case 'RecoveryKeyIsOurs':
      return `The service has the secret of ${failure.signer}, or had it. Make one that it never sees: \`quittance recovery create\`.`
    case 'RecoveryAccountShort':
      return `The account of the recovery key pays for what the key signs: send ${decimalFromStroops(failure.missing)} XLM to ${failure.signer}, or create it with as much.`
    case 'RecoverySignerMissing':
      return `The ledger shows no recovery signer of ${failure.account} that can change its signers: \`quittance account show\`.`
    case 'RecoveryTransactionUnfit':
      return unfitness[failure.because]
    case 'ForeignSigner':
      return `The key ${failure.key} has weight on ${failure.account} and is not ours: with the service's key it could change signers. Remove it first.`
    case 'RecoverySigningUnderWay':
      return `${failure.account} is being given the recovery signer ${failure.signer}${failure.isProtected ? ' with thresholds' : ''}: wait until \`quittance account show\` says that it has ended, and run the command again.`
    case 'RotationUnaffordable':
      return `The new signer takes 0.5 XLM of reserve, and a fee: send ${decimalFromStroops(failure.missing)} XLM to ${failure.account}.`
    case 'KeyLacking':
      return `The vault lacks the key ${failure.key}, which the log names: it is older than the log. Put the newer vault in place; no other key is made instead.`
    case 'OperatorNotFunded':
      return failure.account === null
        ? 'The merchant has no operator account of its own: `quittance operator create --merchant` makes one.'
        : `The account ${failure.account} has to be on the ledger with at least 1 XLM: send 5 XLM to it first.`
    case 'MandatesNotConfigured':
      return 'No mandate contract is configured, or there is no operator account: `quittance doctor` says which.'
    case 'CannotCollect':
      return failure.because === 'contract_former'
        ? 'The configured contract runs the code of a former version: subscribers are moved to a contract of this version only.'
        : `Nothing can be collected on the ${failure.environment} (${failure.because}): \`quittance doctor\` says what is missing.`
    case 'NothingToMigrate':
      return 'Every living mandate of these subscribers names the contract and the operator account of new mandates already.'
    case 'StoreUnavailable':
      return 'The event log cannot be used (disk, lock or file). Nothing was recorded.'
    case 'OutcomeUnknown':
      return 'It is unknown whether this was recorded: look with a `list` command before trying again.'
  }
}

const unfitness = {
  unknown_form: 'This is no transaction of `quittance recovery prepare` for this network.',
  not_signed: 'The recovery key has not signed it, or not alone: `quittance recovery sign`.',
  other_account: 'It is for another account than the one that is named.',
  unknown_key: 'The vault lacks the key that it gives weight to: it was prepared with another vault.',
  expired: 'It has expired. Prepare another one, and sign that.',
  sequence_used: 'The account of the recovery key has used its number since. Prepare another one, and sign that.',
} as const

const sharers = {
  omnibus: 'serves many people, according to QUITTANCE_OMNIBUS_ACCOUNTS',
  merchant: 'belongs to another merchant',
  service: 'belongs to the service, whose payments are recognised anyway',
} as const
