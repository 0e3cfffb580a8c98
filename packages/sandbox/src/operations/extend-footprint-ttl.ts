import { xdr } from '@stellar/stellar-sdk'
import { maxTtl } from '../contracts/index.ts'
import { liveUntilIn } from '../contracts/lifetimes.ts'
import { rentFee } from '../contracts/rent.ts'
import { type Change, writeChanges } from '../contracts/storage.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { dataOf } from '../ledger/entry-keys.ts'
import { isContracts } from '../ledger/resource-fees.ts'
import { type OperationLogic, resultsOf } from './operation.ts'

const { success, done, refused } = resultsOf(
  xdr.OperationResultTr.extendFootprintTtl,
  xdr.ExtendFootprintTtlResult.extendFootprintTtlSuccess(),
)
const malformed = refused(xdr.ExtendFootprintTtlResult.extendFootprintTtlMalformed())

/**
 * The changes that extend these entries to `extendTo` ledgers from now. Skips entries that already live longer, are
 * missing, or have expired.
 */
export const extensionsDue = (
  view: LedgerView,
  sequence: number,
  keys: ReadonlyArray<xdr.LedgerKey>,
  extendTo: number,
): ReadonlyArray<Change> =>
  keys.flatMap((each) => {
    const key = each.toXdr('hex')
    const entry = view.find(key)
    const last = liveUntilIn(view, key)
    const liveUntil = sequence + extendTo
    if (entry === undefined || last === undefined || last < sequence || last >= liveUntil) return []
    const data = dataOf(entry)
    return [{ key, before: { data, liveUntil: last }, after: { data, liveUntil } }]
  })

/** Extends the entries of the read-only footprint; skips expired and archived ones. */
export const extendFootprintTtl = ({ extendTo }: xdr.ExtendFootprintTtlOp): OperationLogic => ({
  level: 'low',
  success,
  check: (_, declared) => {
    const footprint = declared?.resources.footprint
    const isValid = footprint?.readWrite.length === 0 && footprint.readOnly.every(isContracts)
    return isValid && extendTo < maxTtl ? done : malformed
  },
  apply: (_, draft, { contract }) => {
    if (contract === undefined) return malformed
    const keys = contract.declared.resources.footprint.readOnly
    const due = extensionsDue(draft, draft.ledger.sequence, keys, extendTo)
    const used = { rentFee: rentFee(due, draft.ledger.sequence), eventBytes: 0 }
    if (!contract.covers(used))
      return refused(xdr.ExtendFootprintTtlResult.extendFootprintTtlInsufficientRefundableFee())
    writeChanges(draft, due)
    contract.note(used)
    return done
  },
})
