import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { firstLiveUntil, liveUntilIn } from '../contracts/lifetimes.ts'
import { rentFee, sizeOf } from '../contracts/rent.ts'
import { type Change, writeChanges } from '../contracts/storage.ts'
import { isPersistent } from '../ledger/contract-transaction.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { dataOf } from '../ledger/entry-keys.ts'
import { innerResult, type OperationLogic } from './operation.ts'

const result = (code: xdr.RestoreFootprintResult) => innerResult(xdr.OperationResultTr.restoreFootprint(code))
const refused = (code: xdr.RestoreFootprintResult) => E.left(result(code))
const success = result(xdr.RestoreFootprintResult.restoreFootprintSuccess())
const malformed = refused(xdr.RestoreFootprintResult.restoreFootprintMalformed())

/** What it takes to bring back those of the keys' entries that are archived: rent as for new ones. */
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

/** How many bytes restored entries have: read from the archive, and written. */
export const restoredBytes = (due: ReadonlyArray<Change>): number =>
  due.reduce((sum, { after }) => sum + sizeOf(after.data), 0)

/** Brings archived entries back, which then live as long as new ones. */
export const restoreFootprint: OperationLogic = {
  level: 'low',
  success,
  check: (_, declared) => {
    const footprint = declared?.resources.footprint
    return footprint?.readOnly.length === 0 && footprint.readWrite.every(isPersistent) ? E.right(success) : malformed
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
    return E.right(success)
  },
}
