import type { TransactionHash } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { SubmitFailure, Submitted } from '../submission.ts'
import { type ResultCodes, resultCodes } from './result-codes.ts'
import type { Sent } from './rpc-responses.ts'

const failureOf = ({ code, operationCodes }: ResultCodes, latestLedger: Sent['latestLedger']): SubmitFailure => {
  switch (code) {
    case 'txTooEarly':
      return { _tag: 'TryAgainLater', latestLedger }
    case 'txBadSeq':
      return { _tag: 'BadSequence' }
    case 'txTooLate':
      return { _tag: 'Expired' }
    case 'txInsufficientFee':
      return { _tag: 'FeeTooLow' }
    case 'txInsufficientBalance':
    case 'txNoAccount':
      return { _tag: 'FeeSourceCannotPay', code }
    case 'txSorobanInvalid':
      return { _tag: 'SimulateAgain' }
    case 'txInternalError':
    case 'txSuccess':
      return { _tag: 'OutcomeUnknown', cause: `refused with ${code}` }
    case 'txFailed':
    case 'txMissingOperation':
    case 'txBadAuth':
    case 'txBadAuthExtra':
    case 'txNotSupported':
    case 'txBadSponsorship':
    case 'txBadMinSeqAgeOrGap':
    case 'txMalformed':
    case 'txFrozenKeyAccessed':
      return { _tag: 'Refused', code, operationCodes }
  }
}

/** The meaning of the network's response to a submission. Throws on a result that is no `TransactionResult`. */
export const submissionOutcome = (transactionHash: TransactionHash, sent: Sent): E.Either<SubmitFailure, Submitted> => {
  const { latestLedger } = sent
  switch (sent.status) {
    case 'PENDING':
    case 'DUPLICATE':
      return E.right({ _tag: 'Queued', transactionHash, latestLedger })
    case 'TRY_AGAIN_LATER':
      return E.left({ _tag: 'TryAgainLater', latestLedger })
    case 'ERROR':
      return E.left(failureOf(resultCodes(xdr.TransactionResult.fromXdr(sent.errorResultXdr, 'base64')), latestLedger))
  }
}
