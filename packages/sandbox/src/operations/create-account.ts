import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { availableBalance, findAccount, newAccount, requireAccount, saveAccount } from '../ledger/accounts.ts'
import { createEntry } from '../ledger/sponsorship.ts'
import { type OperationLogic, reserveRefusal, resultsOf } from './operation.ts'

const { result, success, done, refused } = resultsOf(
  xdr.OperationResultTr.createAccount,
  xdr.CreateAccountResult.createAccountSuccess(),
)

export const createAccount = ({ destination, startingBalance }: xdr.CreateAccountOp): OperationLogic => ({
  level: 'medium',
  success,
  check: (source) =>
    startingBalance < 0n || destination.equals(source)
      ? refused(xdr.CreateAccountResult.createAccountMalformed())
      : done,
  apply: (source, draft) => {
    if (findAccount(draft, destination)) return refused(xdr.CreateAccountResult.createAccountAlreadyExist())
    const newcomer = xdr.LedgerEntryData.account(newAccount(destination, startingBalance, draft.ledger.sequence))
    const created = createEntry(draft, newcomer, destination)
    if (E.isLeft(created))
      return reserveRefusal(created.left, result(xdr.CreateAccountResult.createAccountLowReserve()))
    const payer = requireAccount(draft, source)
    if (availableBalance(payer) < startingBalance) return refused(xdr.CreateAccountResult.createAccountUnderfunded())
    saveAccount(draft, payer, { balance: payer.balance - startingBalance })
    return done
  },
})
