import type { LedgerSequence, Stroops } from '@quittance/domain'
import { mandateNumbers } from './mandate-numbers.ts'
import type { MandateStanding, Wallet } from './mandate-standing.ts'
import type { Simulation } from './simulation.ts'

/** What keeps a mandate from being charged until the ledger shows it cured. */
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
 * `too_early`, `too_late`: no ledger that closes now is in the period. `stale`: built on an older ledger. `token_failed`:
 * the token trapped. `not_the_customer`: the ledger shows nothing wrong with the customer, so it is the payee, or what has
 * changed in between. `network`: beyond what the network takes now.
 */
export type TechnicalCause = 'too_early' | 'too_late' | 'stale' | 'token_failed' | 'not_the_customer' | 'network'

/**
 * Why a call was refused, named by what it means for a subscription. `soft_money`: the balance is too low.
 * `soft_technical` says nothing about the customer, and may go well another time. `hard`: trying again is of no use until
 * the cause is cured. `already_charged`: this very charge is on the ledger, an earlier sending landed; `period_taken`: the
 * period is charged under another reference. `already_enrolled`: there is such a mandate, from an earlier sending.
 * `our_fault`: never sent so again.
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
 * What is known beside a refusal: how the mandate stands, what was to be charged, and with which ledger the customer's
 * approval was to end.
 */
export type Charged = {
  readonly standing: MandateStanding
  readonly amount: Stroops
  readonly allowanceExpiryLedger: LedgerSequence
}

const hard = (cause: HardCause): CallRefusal => ({ _tag: 'hard', cause })
const technical = (cause: TechnicalCause): CallRefusal => ({ _tag: 'soft_technical', cause })
const softMoney: CallRefusal = { _tag: 'soft_money' }
const ourFault: CallRefusal = { _tag: 'our_fault' }
const notTheCustomer = technical('not_the_customer')

/** Tokens say what is wrong, but not with whom: the ledger tells. Without it, the customer is meant, as a rule. */
const about = (
  seen: Charged | null,
  isSo: (wallet: Wallet, amount: Stroops) => boolean,
  refusal: CallRefusal,
): CallRefusal => {
  if (seen === null) return refusal
  const { wallet } = seen.standing
  if (wallet === null) return hard('account_gone')
  return isSo(wallet, seen.amount) ? refusal : notTheCustomer
}

const allowanceRefusal = (seen: Charged | null): CallRefusal => {
  if (seen === null) return hard('allowance_too_small')
  const { standing, amount, allowanceExpiryLedger } = seen
  if (standing.allowance === null)
    return hard(standing.asOf > allowanceExpiryLedger ? 'mandate_expired' : 'allowance_revoked')
  return standing.allowance.amount < amount ? hard('allowance_too_small') : notTheCustomer
}

/**
 * What the number means that a contract gave: 1 to 15 are the token's, from 100 on the mandate contract's; any other is
 * nobody's. `seen` is null where the standing is not known.
 * Source: contracts/mandate/README.md; `ContractError` of the Stellar asset contract.
 */
export const refusalOfNumber = (number: number, seen: Charged | null): CallRefusal => {
  switch (number) {
    case 6:
      return about(seen, () => false, hard('account_gone'))
    case 9:
      return allowanceRefusal(seen)
    case 10:
      return about(seen, ({ spendable }, amount) => spendable < amount, softMoney)
    case 11:
      return about(seen, ({ isAuthorized }) => !isAuthorized, hard('frozen'))
    case 13:
      return about(seen, ({ hasTrustline }) => !hasTrustline, hard('trustline_gone'))
    case 12:
    case 14:
      return notTheCustomer
    case mandateNumbers.ReferenceTaken:
      return { _tag: 'already_enrolled' }
    case mandateNumbers.AboveCap:
      return hard('above_cap')
    case mandateNumbers.AllowanceTooLow:
    case mandateNumbers.ExpiryTooEarly:
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
      return technical('too_early')
    case mandateNumbers.PeriodOver:
      return technical('too_late')
    case mandateNumbers.TokenFailed:
      return technical('token_failed')
    default:
      return ourFault
  }
}

/** What it means that a simulation failed: by the contract's number, else by what the host says. */
export const refusalOfSimulation = (
  { contractError, hostError }: Extract<Simulation, { _tag: 'SimulationFailed' }>,
  seen: Charged | null,
): CallRefusal => {
  if (contractError !== null) return refusalOfNumber(contractError, seen)
  return hostError.type === 'Budget' || hostError.type === 'Unknown' ? technical('network') : ourFault
}
