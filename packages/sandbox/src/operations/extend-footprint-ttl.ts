import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { maxTtl } from '../contracts/index.ts'
import { liveUntilIn } from '../contracts/lifetimes.ts'
import { rentFee } from '../contracts/rent.ts'
import { type Change, writeChanges } from '../contracts/storage.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { dataOf } from '../ledger/entry-keys.ts'
import { isContracts } from '../ledger/resource-fees.ts'
import { innerResult, type OperationLogic } from './operation.ts'

const result = (code: xdr.ExtendFootprintTtlResult) => innerResult(xdr.OperationResultTr.extendFootprintTtl(code))
const refused = (code: xdr.ExtendFootprintTtlResult) => E.left(result(code))
const success = result(xdr.ExtendFootprintTtlResult.extendFootprintTtlSuccess())
const malformed = refused(xdr.ExtendFootprintTtlResult.extendFootprintTtlMalformed())

/** What it takes that the keys' entries live `extendTo` ledgers more; those that do, or do not live at all, are left out. */
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

/** Has what is read-only in the footprint live so many ledgers more; what has ended or is archived stays as it is. */
export const extendFootprintTtl = ({ extendTo }: xdr.ExtendFootprintTtlOp): OperationLogic => ({
  level: 'low',
  success,
  check: (_, declared) => {
    const footprint = declared?.resources.footprint
    const isMeant = footprint?.readWrite.length === 0 && footprint.readOnly.every(isContracts)
    return isMeant && extendTo < maxTtl ? E.right(success) : malformed
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
    return E.right(success)
  },
})
