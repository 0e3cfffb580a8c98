import type { MadeOperator } from '@quittance/billing'
import { decimalFromStroops } from '@quittance/domain'
import { table } from '../printing.ts'

/** An account that pays fees. `balance` is lumens, and null while the account is not on the ledger. */
export const feeAccountJson = ({ account, balance }: MadeOperator) => ({
  account,
  balance: balance === null ? null : decimalFromStroops(balance),
})

export const feeAccountTable = (accounts: ReadonlyArray<ReturnType<typeof feeAccountJson>>): string =>
  table([['ACCOUNT', 'LUMENS'], ...accounts.map(({ account, balance }) => [account, balance ?? 'not on the ledger'])])
