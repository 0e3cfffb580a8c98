import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { requireAccount, saveAccount, subentryProblem } from '../ledger/accounts.ts'
import { dataKey } from '../ledger/entry-keys.ts'
import { innerResult, type OperationLogic, type OperationOutcome } from './operation.ts'

const result = (code: xdr.ManageDataResult) => innerResult(xdr.OperationResultTr.manageData(code))
const refused = (code: xdr.ManageDataResult) => E.left(result(code))
const success = result(xdr.ManageDataResult.manageDataSuccess())
const done: OperationOutcome = E.right(success)

const isNameValid = (name: xdr.XdrString): boolean => /^[\x20-\x7e]+$/.test(Buffer.from(name.bytes).toString('latin1'))

export const manageData = ({ dataName, dataValue }: xdr.ManageDataOp): OperationLogic => ({
  level: 'medium',
  success,
  check: () => (isNameValid(dataName) ? done : refused(xdr.ManageDataResult.manageDataInvalidName())),
  apply: (source, draft) => {
    const account = requireAccount(draft, source)
    const key = dataKey(source, dataName)
    const isThere = draft.find(key) !== undefined
    if (dataValue === null) {
      if (!isThere) return refused(xdr.ManageDataResult.manageDataNameNotFound())
      saveAccount(draft, account, { numSubEntries: account.numSubEntries - 1 })
      draft.remove(key)
      return done
    }
    if (!isThere) {
      const problem = subentryProblem(account)
      if (problem === 'tooMany') return E.left(xdr.OperationResult.opTooManySubentries())
      if (problem === 'lowReserve') return refused(xdr.ManageDataResult.manageDataLowReserve())
      saveAccount(draft, account, { numSubEntries: account.numSubEntries + 1 })
    }
    const entry = new xdr.DataEntry({ accountId: source, dataName, dataValue, ext: xdr.DataEntryExt.v0() })
    draft.put(xdr.LedgerEntryData.data(entry))
    return done
  },
})
