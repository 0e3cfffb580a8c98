import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { availableBalance, findAccount, newAccount, requireAccount, saveAccount } from '../ledger/accounts.ts'
import { createEntry } from '../ledger/sponsorship.ts'
import { innerResult, type OperationLogic, reserveRefusal } from './operation.ts'

const result = (code: xdr.CreateAccountResult) => innerResult(xdr.OperationResultTr.createAccount(code))
const malformed = E.left(result(xdr.CreateAccountResult.createAccountMalformed()))
const success = result(xdr.CreateAccountResult.createAccountSuccess())

export const createAccount = ({ destination, startingBalance }: xdr.CreateAccountOp): OperationLogic => ({
  level: 'medium',
  success,
  check: (source) => (startingBalance < 0n || destination.equals(source) ? malformed : E.right(success)),
  apply: (source, draft) => {
    if (findAccount(draft, destination)) return E.left(result(xdr.CreateAccountResult.createAccountAlreadyExist()))
    const newcomer = xdr.LedgerEntryData.account(newAccount(destination, startingBalance, draft.ledger.sequence))
    const created = createEntry(draft, newcomer, destination)
    if (E.isLeft(created))
      return reserveRefusal(created.left, result(xdr.CreateAccountResult.createAccountLowReserve()))
    const payer = requireAccount(draft, source)
    if (availableBalance(payer) < startingBalance)
      return E.left(result(xdr.CreateAccountResult.createAccountUnderfunded()))
    saveAccount(draft, payer, { balance: payer.balance - startingBalance })
    return E.right(success)
  },
})
