import { xdr } from '@stellar/stellar-sdk'
import { integerIn } from '../values/integers.ts'
import { addressValue, fieldOf, i128, record } from '../values/sc-values.ts'
import { issuerHas } from './issuer.ts'
import { dayInLedgers } from './lifetimes.ts'
import { refuse } from './token-errors.ts'
import { extendStored, findStored, putStored, type Token } from './token-storage.ts'

const extendTo = 30 * dayInLedgers
const threshold = extendTo - dayInLedgers
const i128Max = (1n << 127n) - 1n

/** A contract's balance: whether the contract may move it, and whether the issuer may claw it back. */
type ContractBalance = { readonly amount: bigint; readonly authorized: boolean; readonly clawback: boolean }

const find = (token: Token, contract: xdr.ScAddress): ContractBalance | undefined => {
  const kept = findStored(token, 'Balance', addressValue(contract))
  const [amount, authorized, clawback] = ['amount', 'authorized', 'clawback'].map((name) => fieldOf(kept, name))
  const stroops = amount && integerIn(amount)
  return stroops === undefined || authorized?.type !== 'scvBool' || clawback?.type !== 'scvBool'
    ? undefined
    : { amount: stroops, authorized: authorized.b, clawback: clawback.b }
}

const save = (token: Token, contract: xdr.ScAddress, { amount, authorized, clawback }: ContractBalance): void => {
  const flags = { authorized: xdr.ScVal.scvBool(authorized), clawback: xdr.ScVal.scvBool(clawback) }
  putStored(token, 'Balance', addressValue(contract), record({ amount: i128(amount), ...flags }))
  extendStored(token, 'Balance', addressValue(contract), threshold, extendTo)
}

export const contractBalance = (token: Token, contract: xdr.ScAddress): bigint => {
  const found = find(token, contract)
  if (found === undefined) return 0n
  extendStored(token, 'Balance', addressValue(contract), threshold, extendTo)
  return found.amount
}

export const isContractAuthorized = (token: Token, contract: xdr.ScAddress): boolean =>
  find(token, contract)?.authorized ?? !issuerHas(token, 'authRequired')

const newBalance = (token: Token, authorized: boolean): ContractBalance => ({
  amount: 0n,
  authorized,
  clawback: issuerHas(token, 'clawbackEnabled'),
})

/** Adds to a contract's balance, or subtracts a negative amount. */
export const changeContractBalance = (
  token: Token,
  contract: xdr.ScAddress,
  change: bigint,
  isSpent: boolean,
): void => {
  const found = find(token, contract)
  if (isSpent && found === undefined) {
    if (change !== 0n) refuse('balance', 'no balance to spend')
    return
  }
  const before = found ?? newBalance(token, true)
  const amount = before.amount + change
  if (amount < 0n) refuse('balance', 'balance is not sufficient to spend')
  if (amount > i128Max) refuse('overflow', 'balance overflow')
  save(token, contract, { ...before, amount })
}

export const authorizeContract = (token: Token, contract: xdr.ScAddress, authorized: boolean): void =>
  save(token, contract, { ...(find(token, contract) ?? newBalance(token, authorized)), authorized })

export const requireContractClawback = (token: Token, contract: xdr.ScAddress): void => {
  if (find(token, contract)?.clawback !== true) refuse('balance', 'no balance to claw back')
}
