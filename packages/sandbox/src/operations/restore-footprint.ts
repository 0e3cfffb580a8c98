import { xdr } from '@stellar/stellar-sdk'
import { firstLiveUntil, liveUntilIn } from '../contracts/lifetimes.ts'
import { rentFee, sizeOf } from '../contracts/rent.ts'
import { type Change, writeChanges } from '../contracts/storage.ts'
import { isPersistent } from '../ledger/contract-transaction.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { dataOf } from '../ledger/entry-keys.ts'
import { type OperationLogic, resultsOf } from './operation.ts'

const { success, done, refused } = resultsOf(
  xdr.OperationResultTr.restoreFootprint,
  xdr.RestoreFootprintResult.restoreFootprintSuccess(),
)
const malformed = refused(xdr.RestoreFootprintResult.restoreFootprintMalformed())

/** The changes that restore these entries where they are archived; they pay rent like new ones. */
export const restorationsDue = (
  view: LedgerView,
  sequence: number,
  keys: ReadonlyArray<xdr.LedgerKey>,
): ReadonlyArray<Change> =>
  keys.flatMap((each) => {
    const key = each.toXdr('hex')
    const entry = view.find(key)
    const last = liveUntilIn(view, key)
    if (entry === undefined || last === undefined || last >= sequence) return []
    const after = { data: dataOf(entry), liveUntil: firstLiveUntil(sequence, 'persistent') }
    return [{ key, before: undefined, after }]
  })

/** The size of restored entries in bytes, both read and written. */
export const restoredBytes = (due: ReadonlyArray<Change>): number =>
  due.reduce((sum, { after }) => sum + sizeOf(after.data), 0)

/** Restores archived entries, which then live as long as new ones. */
export const restoreFootprint: OperationLogic = {
  level: 'low',
  success,
  check: (_, declared) => {
    const footprint = declared?.resources.footprint
    return footprint?.readOnly.length === 0 && footprint.readWrite.every(isPersistent) ? done : malformed
  },
  apply: (_, draft, { contract }) => {
    if (contract === undefined) return malformed
    const { footprint, diskReadBytes, writeBytes } = contract.declared.resources
    const due = restorationsDue(draft, draft.ledger.sequence, footprint.readWrite)
    const bytes = restoredBytes(due)
    if (bytes > diskReadBytes || bytes > writeBytes)
      return refused(xdr.RestoreFootprintResult.restoreFootprintResourceLimitExceeded())
    const used = { rentFee: rentFee(due, draft.ledger.sequence), eventBytes: 0 }
    if (!contract.covers(used)) return refused(xdr.RestoreFootprintResult.restoreFootprintInsufficientRefundableFee())
    writeChanges(draft, due)
    contract.note(used)
    return done
  },
}
