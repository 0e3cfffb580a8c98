import { xdr } from '@stellar/stellar-sdk'
import { contractDataKey, type EntryKey } from '../../ledger/entry-keys.ts'
import { contractDataEntry } from '../contract-entries.ts'
import type { Frame, Host } from '../host.ts'
import { contractAddress } from '../values/sc-values.ts'

/** A running token contract. */
export type Token = { readonly host: Host; readonly frame: Frame }

const { persistent, temporary } = xdr.ContractDataDurability
type Kind = 'Balance' | 'Allowance'
const durability = { Balance: persistent, Allowance: temporary }

const nameOf = (kind: Kind, of: xdr.ScVal): xdr.ScVal => xdr.ScVal.scvVec([xdr.ScVal.scvSymbol(kind), of])

const keyIn = ({ frame }: Token, kind: Kind, of: xdr.ScVal): EntryKey =>
  contractDataKey(contractAddress(frame.contract), nameOf(kind, of), durability[kind])

/** The value stored for an owner under a kind of key. */
export const findStored = (token: Token, kind: Kind, of: xdr.ScVal): xdr.ScVal | undefined => {
  const data = token.host.storage.find(keyIn(token, kind, of))
  return data?.type === 'contractData' ? data.contractData.val : undefined
}

export const putStored = ({ host, frame }: Token, kind: Kind, of: xdr.ScVal, value: xdr.ScVal): void =>
  host.storage.put(contractDataEntry(contractAddress(frame.contract), nameOf(kind, of), durability[kind], value))

/** Extends the entry's life to `extendTo` ledgers, if at most `threshold` are left. */
export const extendStored = (token: Token, kind: Kind, of: xdr.ScVal, threshold: number, extendTo: number): void =>
  token.host.storage.extend(keyIn(token, kind, of), threshold, extendTo)
