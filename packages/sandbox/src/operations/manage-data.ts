import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { dataKey } from '../ledger/entry-keys.ts'
import { createEntry, removeEntry } from '../ledger/sponsorship.ts'
import { type OperationLogic, reserveRefusal, resultsOf } from './operation.ts'

const { result, success, done, refused } = resultsOf(
  xdr.OperationResultTr.manageData,
  xdr.ManageDataResult.manageDataSuccess(),
)

export const isNameValid = (name: xdr.XdrString): boolean =>
  /^[\x20-\x7e]+$/.test(Buffer.from(name.bytes).toString('latin1'))

export const manageData = ({ dataName, dataValue }: xdr.ManageDataOp): OperationLogic => ({
  level: 'medium',
  success,
  check: () => (isNameValid(dataName) ? done : refused(xdr.ManageDataResult.manageDataInvalidName())),
  apply: (source, draft) => {
    const key = dataKey(source, dataName)
    const isThere = draft.find(key) !== undefined
    if (dataValue === null) {
      if (!isThere) return refused(xdr.ManageDataResult.manageDataNameNotFound())
      removeEntry(draft, key)
      return done
    }
    const entry = new xdr.DataEntry({ accountId: source, dataName, dataValue, ext: xdr.DataEntryExt.v0() })
    const data = xdr.LedgerEntryData.data(entry)
    const created = isThere ? E.right(draft.put(data)) : createEntry(draft, data, source)
    return E.isLeft(created) ? reserveRefusal(created.left, result(xdr.ManageDataResult.manageDataLowReserve())) : done
  },
})
