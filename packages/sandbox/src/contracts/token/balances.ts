import type { xdr } from '@stellar/stellar-sdk'
import { int64Max } from '../../ledger/accounts.ts'
import { hostError } from '../host-error.ts'
import {
  accountBalance,
  authorizeAccount,
  changeAccountBalance,
  isAccountAuthorized,
  requireClawback,
} from './account-balances.ts'
import {
  authorizeContract,
  changeContractBalance,
  contractBalance,
  isContractAuthorized,
  requireContractClawback,
} from './contract-balances.ts'
import { issuerHas } from './issuer.ts'
import { refuse } from './token-errors.ts'
import type { Token } from './token-storage.ts'

/** Accounts hold tokens in their entries and trustlines, contracts in the token's storage. */
const holderOf = <A>(
  address: xdr.ScAddress,
  ofAccount: (account: xdr.PublicKey) => A,
  ofContract: (contract: xdr.ScAddress) => A,
): A => {
  if (address.type === 'scAddressTypeAccount') return ofAccount(address.accountId)
  if (address.type === 'scAddressTypeContract') return ofContract(address)
  throw hostError('object', 'internalError', 'unexpected type of address')
}

export const balance = (token: Token, address: xdr.ScAddress): bigint =>
  holderOf(
    address,
    (account) => accountBalance(token, account),
    (contract) => contractBalance(token, contract),
  )

export const isHolderAuthorized = (token: Token, address: xdr.ScAddress): boolean =>
  holderOf(
    address,
    (account) => isAccountAuthorized(token, account),
    (contract) => isContractAuthorized(token, contract),
  )

const requireAuthorized = (token: Token, address: xdr.ScAddress): void => {
  if (!isHolderAuthorized(token, address)) refuse('deauthorized', 'balance is deauthorized')
}

const change = (token: Token, address: xdr.ScAddress, amount: bigint, isSpent: boolean): void =>
  holderOf(
    address,
    (account) => {
      if (amount > int64Max || -amount > int64Max) refuse('overflow', 'amount is too large for an account')
      changeAccountBalance(token, account, amount)
    },
    (contract) => changeContractBalance(token, contract, amount, isSpent),
  )

export const receive = (token: Token, to: xdr.ScAddress, amount: bigint): void => {
  requireAuthorized(token, to)
  change(token, to, amount, false)
}

export const spend = (token: Token, from: xdr.ScAddress, amount: bigint): void => {
  requireAuthorized(token, from)
  change(token, from, -amount, true)
}

/** A clawback, which succeeds from deauthorized holders too. */
export const takeBack = (token: Token, from: xdr.ScAddress, amount: bigint): void => change(token, from, -amount, true)

export const requireClawbackFrom = (token: Token, address: xdr.ScAddress): void =>
  holderOf(
    address,
    (account) => requireClawback(token, account),
    (contract) => requireContractClawback(token, contract),
  )

export const setAuthorized = (token: Token, address: xdr.ScAddress, isAllowed: boolean): void => {
  if (!isAllowed && !issuerHas(token, 'authRevocable')) refuse('notSupported', 'issuer cannot revoke')
  holderOf(
    address,
    (account) => authorizeAccount(token, account, isAllowed),
    (contract) => authorizeContract(token, contract, isAllowed),
  )
}
