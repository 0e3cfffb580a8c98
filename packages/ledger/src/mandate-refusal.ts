import type { LedgerSequence, Stroops } from '@quittance/domain'
import { mandateNumbers } from './mandate-numbers.ts'
import type { MandateStanding, Wallet } from './mandate-standing.ts'
import type { Simulation } from './simulation.ts'

/** Why a mandate cannot be charged until the ledger shows the cause resolved. */
export type HardCause =
  | 'mandate_expired'
  | 'allowance_revoked'
  | 'allowance_too_small'
  | 'above_cap'
  | 'trustline_gone'
  | 'account_gone'
  | 'frozen'
  | 'cancelled'

/**
 * `too_early`, `too_late`: no ledger that closes now is in the period, or far enough from the last charge. `stale`: built on an older ledger.
 * `token_failed`: the token trapped. `not_the_customer`: the payee could not receive. `network`: beyond the network's
 * limits now.
 */
export type TechnicalCause = 'too_early' | 'too_late' | 'stale' | 'token_failed' | 'not_the_customer' | 'network'

/**
 * Why a call was refused, named by its meaning for a subscription. `soft_money`: the balance is too low.
 * `soft_technical` says nothing about the customer, and a retry may succeed. `hard`: no retry succeeds until the cause
 * is resolved. `already_charged`: an earlier submission of this charge is on the ledger; `period_taken`: the period is
 * charged under another reference. `already_enrolled`: an earlier submission created the mandate. `our_fault`: never
 * retry.
 */
export type CallRefusal =
  | { readonly _tag: 'soft_money' }
  | { readonly _tag: 'soft_technical'; readonly cause: TechnicalCause }
  | { readonly _tag: 'hard'; readonly cause: HardCause }
  | { readonly _tag: 'already_charged' }
  | { readonly _tag: 'period_taken' }
  | { readonly _tag: 'already_enrolled' }
  | { readonly _tag: 'our_fault' }

/**
 * The circumstances of a refusal: the mandate's standing, the last ledger of the customer's approval, and whether the
 * payee can receive the amount. The customer may have changed their own since the refusal, so nothing of it acquits
 * them: it only tells the causes of one number apart. But what no ledger has changed since before the refusal was then as
 * it is now. `failed`: the ledger of the refusal and what it was to take; null for a simulation.
 */
export type Charged = {
  readonly standing: MandateStanding
  readonly allowanceExpiryLedger: LedgerSequence
  readonly canBeReceived: boolean
  readonly failed: { readonly ledger: LedgerSequence; readonly amount: Stroops } | null
}

const hard = (cause: HardCause): CallRefusal => ({ _tag: 'hard', cause })
const technical = (cause: TechnicalCause): CallRefusal => ({ _tag: 'soft_technical', cause })
const softMoney: CallRefusal = { _tag: 'soft_money' }
const ourFault: CallRefusal = { _tag: 'our_fault' }
const notTheCustomer = technical('not_the_customer')

/** Whether a wallet could pay, for the reason that an error number names. */
type Fit = (wallet: Wallet, amount: Stroops) => boolean

/** Whether the payer was fit in the ledger of the refusal, by an entry that none has changed since; null if it is not known. */
const wasFit = ({ standing, failed }: Charged, isFit: Fit): boolean | null => {
  const { wallet, asOf } = standing
  if (failed === null || wallet?.changedIn === undefined) return null
  return asOf >= failed.ledger && wallet.changedIn < failed.ledger ? isFit(wallet, failed.amount) : null
}

/**
 * A token refuses a transfer because of its payer or its payee, and does not say which. Where the payer's entry is older
 * than the refusal, it says so; otherwise it is the payer unless the payee cannot receive now.
 */
const ofPayer = (seen: Charged | null, isFit: Fit, refusal: CallRefusal): CallRefusal => {
  if (seen === null) return refusal
  const fit = wasFit(seen, isFit)
  if (fit !== null) return fit ? notTheCustomer : refusal
  if (!seen.canBeReceived) return notTheCustomer
  return seen.standing.wallet === null ? hard('account_gone') : refusal
}

/** Only the customer approves. */
const ofAllowance = (seen: Charged | null): CallRefusal => {
  if (seen === null || seen.standing.allowance !== null) return hard('allowance_too_small')
  return hard(seen.standing.asOf > seen.allowanceExpiryLedger ? 'mandate_expired' : 'allowance_revoked')
}

/**
 * The meaning of a contract's error number: 1 to 15 belong to the token, 100 and above to the mandate contract. `seen`
 * is null where the circumstances are unknown.
 * Source: contracts/mandate/README.md; `ContractError` of the Stellar asset contract.
 */
export const refusalOfNumber = (number: number, seen: Charged | null): CallRefusal => {
  switch (number) {
    case 6:
      return ofPayer(seen, () => true, hard('account_gone'))
    case 9:
      return ofAllowance(seen)
    case 10:
      return ofPayer(seen, ({ spendable }, amount) => spendable >= amount, softMoney)
    case 11:
      return ofPayer(seen, ({ isAuthorized }) => isAuthorized, hard('frozen'))
    case 13:
      return ofPayer(seen, ({ hasTrustline }) => hasTrustline, hard('trustline_gone'))
    case 12:
    case 14:
      return notTheCustomer
    case mandateNumbers.ReferenceTaken:
      return { _tag: 'already_enrolled' }
    case mandateNumbers.AboveCap:
      return hard('above_cap')
    case mandateNumbers.AllowanceTooLow:
    case mandateNumbers.ExpiryTooEarly:
    case mandateNumbers.ExpiryTooLate:
      return technical('stale')
    case mandateNumbers.Cancelled:
      return hard('cancelled')
    case mandateNumbers.Ended:
      return hard('mandate_expired')
    case mandateNumbers.AlreadyCharged:
      return { _tag: 'already_charged' }
    case mandateNumbers.PeriodTaken:
      return { _tag: 'period_taken' }
    case mandateNumbers.PeriodNotBegun:
    case mandateNumbers.TooClose:
      return technical('too_early')
    case mandateNumbers.PeriodOver:
      return technical('too_late')
    case mandateNumbers.TokenFailed:
      return technical('token_failed')
    default:
      return ourFault
  }
}

/** The meaning of a failed simulation: by the contract's number, else by the host's error. */
export const refusalOfSimulation = (
  { contractError, hostError }: Extract<Simulation, { _tag: 'SimulationFailed' }>,
  seen: Charged | null,
): CallRefusal => {
  if (contractError !== null) return refusalOfNumber(contractError, seen)
  return hostError.type === 'Budget' || hostError.type === 'Unknown' ? technical('network') : ourFault
}
