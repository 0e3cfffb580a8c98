import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { maxTtl } from '../contracts/index.ts'
import { liveUntilIn, ttlEntry } from '../contracts/lifetimes.ts'
import { isPersistent } from '../ledger/contract-transaction.ts'
import type { LedgerView } from '../ledger/draft.ts'
import { type Extension, rentFee } from '../ledger/rent.ts'
import { isContracts } from '../ledger/resource-fees.ts'
import { innerResult, type OperationLogic } from './operation.ts'

const result = (code: xdr.ExtendFootprintTtlResult) => innerResult(xdr.OperationResultTr.extendFootprintTtl(code))
const refused = (code: xdr.ExtendFootprintTtlResult) => E.left(result(code))
const success = result(xdr.ExtendFootprintTtlResult.extendFootprintTtlSuccess())
const malformed = refused(xdr.ExtendFootprintTtlResult.extendFootprintTtlMalformed())

/** Those of the keys whose entries live, but not as long as `extendTo` ledgers from now. */
export const extensionsDue = (
  view: LedgerView,
  sequence: number,
  keys: ReadonlyArray<xdr.LedgerKey>,
  extendTo: number,
): ReadonlyArray<Extension & { readonly key: string; readonly until: number }> =>
  keys.flatMap((each) => {
    const key = each.toXdr('hex')
    const entry = view.find(key)
    const last = liveUntilIn(view, key)
    const until = sequence + extendTo
    if (entry === undefined || last === undefined || last < sequence || last >= until) return []
    const kind = { isPersistent: isPersistent(each), isCode: each.type === 'contractCode' }
    return [{ key, until, size: entry.toXdr().length, ledgers: until - last, ...kind }]
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
    const used = { rentFee: rentFee(due), eventBytes: 0 }
    if (!contract.covers(used))
      return refused(xdr.ExtendFootprintTtlResult.extendFootprintTtlInsufficientRefundableFee())
    for (const { key, until } of due) draft.put(ttlEntry(key, until))
    contract.note(used)
    return E.right(success)
  },
})
