import { xdr } from '@stellar/stellar-sdk'
import { contractDataKey } from '../../ledger/entry-keys.ts'
import { hostError } from '../host-error.ts'
import { firstLiveUntil, lastLiveUntil } from '../lifetimes.ts'
import type { Storage } from '../storage.ts'
import { nothing } from '../values/sc-values.ts'

const durability = xdr.ContractDataDurability.temporary

/** Stores a nonce so that an address cannot use it twice, at least until the signature over it expires. */
export const spendNonce = (
  storage: Storage,
  sequence: number,
  contract: xdr.ScAddress,
  nonce: bigint,
  expiry: number,
): void => {
  if (sequence > expiry) throw hostError('auth', 'invalidInput', 'signature has expired')
  if (expiry > lastLiveUntil(sequence)) throw hostError('auth', 'invalidInput', 'signature expiration is too late')
  const key = xdr.ScVal.scvLedgerKeyNonce(new xdr.ScNonceKey({ nonce }))
  if (storage.find(contractDataKey(contract, key, durability)) !== undefined)
    throw hostError('auth', 'existingValue', 'nonce already exists for address')
  const entry = new xdr.ContractDataEntry({ ext: xdr.ExtensionPoint.v0(), contract, key, durability, val: nothing })
  storage.put(xdr.LedgerEntryData.contractData(entry), Math.max(expiry, firstLiveUntil(sequence, 'temporary')))
}
