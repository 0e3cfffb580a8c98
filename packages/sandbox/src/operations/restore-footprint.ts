import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { minPersistentTtl } from '../contracts/index.ts'
import { firstLiveUntil, liveUntilIn, ttlEntry } from '../contracts/lifetimes.ts'
import { isPersistent } from '../ledger/contract-transaction.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { type Extension, rentFee } from '../ledger/rent.ts'
import { innerResult, type OperationLogic } from './operation.ts'

const result = (code: xdr.RestoreFootprintResult) => innerResult(xdr.OperationResultTr.restoreFootprint(code))
const refused = (code: xdr.RestoreFootprintResult) => E.left(result(code))
const success = result(xdr.RestoreFootprintResult.restoreFootprintSuccess())
const malformed = refused(xdr.RestoreFootprintResult.restoreFootprintMalformed())

/** Those of the keys whose entries are archived. */
export const restorationsDue = (
  view: LedgerView,
  sequence: number,
  keys: ReadonlyArray<xdr.LedgerKey>,
): ReadonlyArray<Extension & { readonly key: string }> =>
  keys.flatMap((each) => {
    const key = each.toXdr('hex')
    const entry = view.find(key)
    const last = liveUntilIn(view, key)
    if (entry === undefined || last === undefined || last >= sequence) return []
    const isCode = each.type === 'contractCode'
    return [{ key, size: entry.toXdr().length, ledgers: minPersistentTtl, isPersistent: true, isCode }]
  })

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
    const bytes = due.reduce((sum, { size }) => sum + size, 0)
    if (bytes > diskReadBytes || bytes > writeBytes)
      return refused(xdr.RestoreFootprintResult.restoreFootprintResourceLimitExceeded())
    const used = { rentFee: rentFee(due), eventBytes: 0 }
    if (!contract.covers(used)) return refused(xdr.RestoreFootprintResult.restoreFootprintInsufficientRefundableFee())
    const until = firstLiveUntil(draft.ledger.sequence, 'persistent')
    for (const { key } of due) draft.put(ttlEntry(key, until))
    contract.note(used)
    return E.right(success)
  },
}
