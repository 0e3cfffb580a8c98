import { xdr } from '@stellar/stellar-sdk'
import { findAccount, newAccount } from '../../ledger/accounts.ts'
import { issuedAsset } from '../../ledger/assets.ts'
import { add, balanceOf, findHolding, type Holding, isAuthorized, room, spendable } from '../../ledger/holdings.ts'
import { authorizedFlag, clawbackFlag, maintainsLiabilitiesFlag, saveTrustline } from '../../ledger/trustlines.ts'
import { baseReserve } from '../../network.ts'
import { hostError } from '../host-error.ts'
import { assetIn } from './asset.ts'
import { refuse } from './token-errors.ts'
import type { Token } from './token-storage.ts'

const find = ({ host, frame }: Token, account: xdr.PublicKey): Holding | undefined =>
  findHolding(host.storage.classic, account, assetIn(frame))

const require = (token: Token, account: xdr.PublicKey): Holding =>
  find(token, account) ??
  (issuedAsset(assetIn(token.frame)) === undefined
    ? refuse('accountMissing', 'account entry is missing')
    : refuse('trustlineMissing', 'trustline entry is missing for account'))

/** The whole balance, including what is locked. Fails for an account below its reserve. */
export const accountBalance = (token: Token, account: xdr.PublicKey): bigint => {
  const holding = require(token, account)
  if (spendable(holding) < 0n || room(holding) < 0n)
    throw hostError('storage', 'internalError', 'balance out of its bounds')
  return balanceOf(holding)
}

export const isAccountAuthorized = (token: Token, account: xdr.PublicKey): boolean =>
  issuedAsset(assetIn(token.frame)) === undefined || isAuthorized(require(token, account))

/** Creates the missing payee of a native transfer, if the amount covers the reserve. */
const createWith = ({ host }: Token, account: xdr.PublicKey, amount: bigint): void => {
  if (amount < 2n * baseReserve) refuse('reserve', 'below minimum balance for new account')
  host.storage.put(xdr.LedgerEntryData.account(newAccount(account, amount, host.ledger.sequence)))
}

/** Adds to an account's balance, or subtracts a negative amount. */
export const changeAccountBalance = (token: Token, account: xdr.PublicKey, amount: bigint): void => {
  const isNative = issuedAsset(assetIn(token.frame)) === undefined
  if (isNative && amount > 0n && findAccount(token.host.storage.classic, account) === undefined) {
    createWith(token, account, amount)
    return
  }
  const holding = require(token, account)
  if (holding.kind === 'issuer') return
  if (spendable(holding) + amount < 0n || room(holding) < amount) refuse('balance', 'balance is not within its range')
  add(token.host.storage.classic, holding, amount)
}

const requireLine = (token: Token, account: xdr.PublicKey): xdr.TrustLineEntry => {
  const asset = issuedAsset(assetIn(token.frame))
  if (asset === undefined) refuse('notSupported', 'expected trustline asset')
  const holding = require(token, account)
  return holding.kind === 'line' ? holding.line : refuse('notSupported', 'issuer has no trustline')
}

/** A deauthorized account may still maintain the liabilities of its offers. */
export const authorizeAccount = (token: Token, account: xdr.PublicKey, isAllowed: boolean): void => {
  const line = requireLine(token, account)
  if (((line.flags & authorizedFlag) !== 0) === isAllowed) return
  const [given, taken] = isAllowed
    ? [authorizedFlag, maintainsLiabilitiesFlag]
    : [maintainsLiabilitiesFlag, authorizedFlag]
  saveTrustline(token.host.storage.classic, line, { flags: (line.flags & ~taken) | given })
}

export const requireClawback = (token: Token, account: xdr.PublicKey): void => {
  if ((requireLine(token, account).flags & clawbackFlag) === 0) refuse('balance', "trustline isn't clawbackable")
}
