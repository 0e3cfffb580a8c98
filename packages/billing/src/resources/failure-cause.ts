import type { FailureCause } from '@quittance/domain'
import { type CallRefusal, type Charged, mandateNumbers, refusalOfNumber } from '@quittance/ledger'

/** The cause of a charge that the contract refused with this number. `seen` is the state of its mandate. */
export const failureCause = (code: string, seen: Charged | null): FailureCause => {
  const refusal = refusalOfNumber(Number(code), seen)
  switch (refusal._tag) {
    case 'soft_money':
      return 'balance_too_low'
    case 'hard':
      return hardCause(refusal.cause, code)
    case 'soft_technical':
    case 'already_charged':
    case 'period_taken':
    case 'already_enrolled':
    case 'our_fault':
      return 'contract_refused'
  }
}

type Hard = Extract<CallRefusal, { readonly _tag: 'hard' }>['cause']

const hardCause = (cause: Hard, code: string): FailureCause => {
  switch (cause) {
    case 'cancelled':
      return 'mandate_ended'
    case 'mandate_expired':
      // An expired approval has the same name.
      return Number(code) === mandateNumbers.Ended ? 'mandate_ended' : 'allowance_expired'
    case 'allowance_revoked':
    case 'allowance_too_small':
      return 'allowance_too_low'
    case 'above_cap':
      return 'above_cap'
    case 'trustline_gone':
      return 'no_trustline'
    case 'account_gone':
      return 'account_gone'
    case 'frozen':
      return 'not_authorized'
  }
}
