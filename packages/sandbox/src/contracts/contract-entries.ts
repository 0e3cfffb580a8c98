import { xdr } from '@stellar/stellar-sdk'
import { contractDataKey, type EntryKey } from '../ledger/entry-keys.ts'
import type { InstanceStorage } from './host.ts'
import { hostError } from './host-error.ts'
import type { Storage } from './storage.ts'
import { compare } from './values/compare.ts'
import { contractAddress } from './values/sc-values.ts'

const instanceName = xdr.ScVal.scvLedgerKeyContractInstance()
const { persistent } = xdr.ContractDataDurability

export const contractDataEntry = (
  contract: xdr.ScAddress,
  key: xdr.ScVal,
  durability: xdr.ContractDataDurability,
  val: xdr.ScVal,
): xdr.LedgerEntryDataContractData =>
  xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({ ext: xdr.ExtensionPoint.v0(), contract, key, durability, val }),
  )

const instanceKeys = new WeakMap<xdr.ContractId, EntryKey>()

/** The key of a contract's instance, which holds its code reference and its instance values. */
export const instanceKey = (contract: xdr.ContractId): EntryKey => {
  const known = instanceKeys.get(contract)
  if (known !== undefined) return known
  const key = contractDataKey(contractAddress(contract), instanceName, persistent)
  instanceKeys.set(contract, key)
  return key
}

export const instanceEntry = (
  contract: xdr.ContractId,
  instance: xdr.ScContractInstance,
): xdr.LedgerEntryDataContractData =>
  contractDataEntry(contractAddress(contract), instanceName, persistent, xdr.ScVal.scvContractInstance(instance))

export const findInstance = (storage: Storage, contract: xdr.ContractId): xdr.ScContractInstance => {
  const data = storage.find(instanceKey(contract))
  if (data?.type !== 'contractData' || data.contractData.val.type !== 'scvContractInstance')
    throw hostError('storage', 'missingValue', 'no such contract')
  return data.contractData.val.instance
}

/** The values stored with an instance, in key order. */
export const instanceStorage = (
  storage: Storage,
  contract: xdr.ContractId,
  instance: xdr.ScContractInstance,
): InstanceStorage => {
  const entries = [...(instance.storage ?? [])]
  let isChanged = false
  return {
    find: (sought) => entries.find(({ key }) => compare(key, sought) === 0)?.val,
    put: (key, val) => {
      const place = entries.findIndex((each) => compare(each.key, key) >= 0)
      const at = place < 0 ? entries.length : place
      const found = entries[at]
      const isThere = found !== undefined && compare(found.key, key) === 0
      entries.splice(at, isThere ? 1 : 0, new xdr.ScMapEntry({ key, val }))
      isChanged = true
    },
    save: () => {
      if (!isChanged) return
      const { executable } = findInstance(storage, contract)
      storage.put(instanceEntry(contract, new xdr.ScContractInstance({ executable, storage: entries })))
    },
  }
}
