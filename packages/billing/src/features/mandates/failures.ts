import type { CheckoutDetails, CheckoutRejection } from '@quittance/domain'
import { type CallRefusal, type PrepareRejection, refusalOfSimulation } from '@quittance/ledger'

/** Why the contract would refuse a mandate of this wallet now. */
export type MandateUnfit = {
  readonly _tag: 'MandateUnfit'
  /** `exists`: the wallet has made a mandate for this checkout that does not count. `refused`: any other reason. */
  readonly because: 'balance_too_low' | 'no_trustline' | 'frozen' | 'exists' | 'network_busy' | 'refused'
}

/** No mandate contract is configured, or the operator's account does not exist: no subscription could be charged. */
export type MandatesNotConfigured = { readonly _tag: 'MandatesNotConfigured' }

/** What a rejected transaction means for the payer. */
export const unfitBy = (
  rejection: PrepareRejection,
  { expiresAt }: Pick<CheckoutDetails, 'expiresAt'>,
): MandateUnfit | Extract<CheckoutRejection, { readonly _tag: 'DeadlinePassed' }> => {
  switch (rejection._tag) {
    case 'TooLate':
      return { _tag: 'DeadlinePassed', expiresAt }
    case 'SimulationFailed':
      return { _tag: 'MandateUnfit', because: becauseOf(refusalOfSimulation(rejection, null)) }
    case 'UnexpectedAuthorisation':
    case 'FeeOutOfRange':
      return { _tag: 'MandateUnfit', because: 'refused' }
  }
}

const becauseOf = (refusal: CallRefusal): MandateUnfit['because'] => {
  switch (refusal._tag) {
    case 'soft_money':
      return 'balance_too_low'
    case 'soft_technical':
      return 'network_busy'
    case 'hard':
      return refusal.cause === 'trustline_gone' ? 'no_trustline' : refusal.cause === 'frozen' ? 'frozen' : 'refused'
    case 'already_enrolled':
      return 'exists'
    case 'already_charged':
    case 'period_taken':
    case 'our_fault':
      return 'refused'
  }
}
