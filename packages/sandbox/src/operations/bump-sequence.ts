import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { requireAccount, saveAccount, withUsedSequence } from '../ledger/accounts.ts'
import { innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'

const result = (code: xdr.BumpSequenceResult) => innerResult(xdr.OperationResultTr.bumpSequence(code))
const success = result(xdr.BumpSequenceResult.bumpSequenceSuccess())
const done: OperationOutcome = E.right(success)

/** Never lowers a sequence number: to bump to a lower one only notes that the number was used in this ledger. */
export const bumpSequence = ({ bumpTo }: xdr.BumpSequenceOp): OperationLogic => ({
  level: 'low',
  success,
  check: () => (bumpTo < 0n ? E.left(result(xdr.BumpSequenceResult.bumpSequenceBadSeq())) : done),
  apply: (source, draft) => {
    const account = requireAccount(draft, source)
    const seqNum = bumpTo > account.seqNum ? bumpTo : account.seqNum
    saveAccount(draft, withUsedSequence(account, draft.ledger, seqNum), {})
    return done
  },
})
