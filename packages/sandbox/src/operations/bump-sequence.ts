import { xdr } from '@stellar/stellar-sdk'
import { requireAccount, saveAccount, withUsedSequence } from '../ledger/accounts.ts'
import { type OperationLogic, resultsOf } from './operation.ts'

const { success, done, refused } = resultsOf(
  xdr.OperationResultTr.bumpSequence,
  xdr.BumpSequenceResult.bumpSequenceSuccess(),
)

/** Never lowers a sequence number; bumping to a lower one only records its use in this ledger. */
export const bumpSequence = ({ bumpTo }: xdr.BumpSequenceOp): OperationLogic => ({
  level: 'low',
  success,
  check: () => (bumpTo < 0n ? refused(xdr.BumpSequenceResult.bumpSequenceBadSeq()) : done),
  apply: (source, draft) => {
    const account = requireAccount(draft, source)
    const seqNum = bumpTo > account.seqNum ? bumpTo : account.seqNum
    saveAccount(draft, withUsedSequence(account, draft.ledger, seqNum), {})
    return done
  },
})
