import { decimalFromStroops } from '@quittance/domain'
import type { DeploymentFailure } from '@quittance/ledger'
import { type CommandError, refused } from '../command-error.ts'
import { failureError } from '../failures.ts'

const goOn = 'Earlier steps stand: run the command again to go on.'

/** Why a contract was not deployed, in words for the operator. */
export const deploymentError = (failure: DeploymentFailure): CommandError => {
  switch (failure._tag) {
    case 'LedgerUnreachable':
      return failureError(failure)
    case 'NoSuchAccount':
      return refused('no_such_account', `The account ${failure.account} is not on the ledger: fund it first.`)
    case 'TooDear':
      return refused(
        'too_dear',
        `The step "${failure.step}" costs up to ${decimalFromStroops(failure.resourceFee)} XLM, above --fee-limit. ${goOn}`,
      )
    case 'FeeOutOfRange':
      return refused(
        'fee_out_of_range',
        `One transaction cannot offer a fee of ${decimalFromStroops(failure.resourceFee)} XLM.`,
      )
    case 'SimulationFailed':
      return refused('simulation_failed', `The network would refuse it: ${failure.cause.split('\n')[0]}`)
    case 'UnexpectedAuthorisation':
      return refused('unexpected_authorisation', 'The node asks for more than this command does. Nothing was signed.')
    case 'TooLate':
      return refused('too_late', `No ledger can include it any more. ${goOn}`)
    case 'SignerUnavailable':
      return refused('signer_unavailable', 'The secret cannot sign.')
    case 'Failed': {
      const codes = [failure.code, ...failure.operationCodes].join(', ')
      return refused('transaction_failed', `Ledger ${failure.ledger} holds a step that failed: ${codes}. ${goOn}`)
    }
    case 'NeverIncluded': {
      const why = failure.because === null ? '' : ` (${failure.because._tag})`
      return refused('never_included', `It is proven that no ledger holds a step${why}. ${goOn}`)
    }
  }
}
