import type { Billing } from '@quittance/billing'
import { decimalFromStroops } from '@quittance/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Complaint, refused } from './complaint.ts'

type FailureOf<F> = F extends (...given: never) => TE.TaskEither<infer Failure, unknown> ? Failure : never
type Payouts = Billing['payouts']
type Failure =
  | FailureOf<Payouts['request']>
  | FailureOf<Payouts['cancel']>
  | FailureOf<Payouts['balance']>
  | FailureOf<Payouts['destinations']['register']>

/** What keeps money from being withdrawn, in words for the operator. The code is the failure's name in snake case. */
export const payoutComplaint = (failure: Failure): Complaint =>
  refused(failure._tag.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase(), wordsFor(failure))

const wordsFor = (failure: Failure): string => {
  switch (failure._tag) {
    case 'BalanceTooLow':
      return `Only ${decimalFromStroops(failure.available)} can be paid out.`
    case 'TooManyPayouts':
      return `${failure.most} payouts of this asset are under way.`
    case 'PayoutNotFound':
      return 'There is no such payout.'
    case 'PayoutNotCancelable':
      return failure.status === 'pending' ? 'It is on its way to the ledger.' : `It is ${failure.status}.`
    case 'PayoutDestinationNotFound':
      return 'No such destination is registered: `quittance merchant destination` registers one.'
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
    case 'SettlementAccountIsOwn':
      return "The account is the merchant's own: its owner withdraws from it."
    case 'MerchantNotReady':
      return `The merchant has no settlement account on the ${failure.environment}.`
    case 'NetworkNotConfigured':
      return `The ${failure.environment} is not configured.`
    case 'LedgerUnreachable':
      return 'The Stellar node did not answer. Nothing was recorded: try again later.'
    case 'AmountTooLarge':
    case 'BalanceOutdated':
    case 'ChallengeInvalid':
    case 'ChallengeSpent':
    case 'ClaimLost':
    case 'ForeignStream':
    case 'MemoNotRegistered':
    case 'MetadataKeyTooLong':
    case 'MetadataNotAnObject':
    case 'MetadataTooDeep':
    case 'MetadataTooLarge':
    case 'MetadataTooManyKeys':
    case 'MetadataValueNotText':
    case 'OutcomeUnknown':
    case 'PayoutDestinationAlreadyExists':
    case 'RateUnavailable':
    case 'SignaturesInsufficient':
    case 'SignerUnavailable':
    case 'StoreUnavailable':
    case 'TooManyConflicts':
    case 'StepRejected':
      return 'Nothing was recorded, or nobody can say: look with `quittance merchant payouts` before trying again.'
  }
}
