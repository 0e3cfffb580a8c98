import { xdr } from '@stellar/stellar-sdk'
import { lastLiveUntil } from '../lifetimes.ts'
import { integerIn } from '../values/integers.ts'
import { addressValue, fieldOf, i128, record } from '../values/sc-values.ts'
import { refuse } from './token-errors.ts'
import { extendStored, findStored, putStored, type Token } from './token-storage.ts'

/** The amount that a spender may take, until a ledger. A new allowance replaces the old one. */
type Allowance = { readonly amount: bigint; readonly liveUntil: number }

const keyOf = (from: xdr.ScAddress, spender: xdr.ScAddress): xdr.ScVal =>
  record({ from: addressValue(from), spender: addressValue(spender) })

const find = (token: Token, key: xdr.ScVal): Allowance | undefined => {
  const kept = findStored(token, 'Allowance', key)
  const [amount, liveUntil] = [fieldOf(kept, 'amount'), fieldOf(kept, 'live_until_ledger')]
  const stroops = amount && integerIn(amount)
  return stroops === undefined || liveUntil?.type !== 'scvU32'
    ? undefined
    : { amount: stroops, liveUntil: liveUntil.u32 }
}

const left = (found: Allowance | undefined, sequence: number): bigint =>
  found === undefined || found.liveUntil < sequence ? 0n : found.amount

/** The remaining allowance in stroops; zero after its last ledger. */
export const allowanceOf = (token: Token, from: xdr.ScAddress, spender: xdr.ScAddress): bigint =>
  left(find(token, keyOf(from, spender)), token.host.ledger.sequence)

/** The entry lives as long as the allowance. A zero allowance may end in the past and needs no entry. */
const replace = (
  token: Token,
  key: xdr.ScVal,
  before: Allowance | undefined,
  { amount, liveUntil }: Allowance,
): void => {
  const { sequence } = token.host.ledger
  if (liveUntil > lastLiveUntil(sequence)) refuse('allowance', 'live_until is greater than max')
  if (amount > 0n && liveUntil < sequence) refuse('allowance', 'live_until must be >= ledger sequence')
  if (before === undefined && amount === 0n) return
  putStored(token, 'Allowance', key, record({ amount: i128(amount), live_until_ledger: xdr.ScVal.scvU32(liveUntil) }))
  const ledgers = liveUntil - sequence
  if (amount > 0n && (before?.liveUntil ?? 0) < liveUntil) extendStored(token, 'Allowance', key, ledgers, ledgers)
}

export const allow = (token: Token, from: xdr.ScAddress, spender: xdr.ScAddress, allowance: Allowance): void => {
  const key = keyOf(from, spender)
  replace(token, key, find(token, key), allowance)
}

export const spendAllowance = (token: Token, from: xdr.ScAddress, spender: xdr.ScAddress, amount: bigint): void => {
  const key = keyOf(from, spender)
  const found = find(token, key)
  const allowed = left(found, token.host.ledger.sequence)
  if (allowed < amount) refuse('allowance', 'not enough allowance to spend')
  if (amount > 0n && found !== undefined) replace(token, key, found, { ...found, amount: allowed - amount })
}
