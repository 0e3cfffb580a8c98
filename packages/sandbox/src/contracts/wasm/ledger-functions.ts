import { xdr } from '@stellar/stellar-sdk'
import { contractDataKey } from '../../ledger/entry-keys.ts'
import { contractDataEntry, instanceKey } from '../contract-entries.ts'
import { HostError, hostError, isRecoverable } from '../host-error.ts'
import { maxTtl } from '../settings.ts'
import { addressValue, contractAddress } from '../values/sc-values.ts'
import { type Guest, give, take, takeAddress, takeContract, takeSymbol, takeU32, takeVec } from './guest.ts'
import { voidValue } from './guest-values.ts'
import type { HostFunctions } from './host-function.ts'

/** Storage kinds by raw number; the third is instance storage, which has no entry key. */
const durabilities = new Map([
  [0n, xdr.ContractDataDurability.temporary],
  [1n, xdr.ContractDataDurability.persistent],
])
const instanceStorage = 2n

const durabilityOf = (raw: bigint): xdr.ContractDataDurability => {
  const found = durabilities.get(raw)
  if (found === undefined) throw hostError('storage', 'invalidAction', 'no such kind of storage')
  return found
}

const keyIn = ({ frame }: Guest, key: xdr.ScVal, storage: bigint) =>
  contractDataKey(contractAddress(frame.contract), key, durabilityOf(storage))

const find = (guest: Guest, rawKey: bigint, storage: bigint): xdr.ScVal | undefined => {
  const key = take(guest, rawKey)
  if (storage === instanceStorage) return guest.frame.instance.find(key)
  const data = guest.host.storage.find(keyIn(guest, key, storage))
  return data?.type === 'contractData' ? data.contractData.val : undefined
}

const call = (guest: Guest, contract: bigint, name: bigint, args: bigint): xdr.ScVal =>
  guest.host.call(takeContract(guest, contract), takeSymbol(guest, name), takeVec(guest, args))

/**
 * The error a caller receives after a recoverable failure: a contract's own number stays, all others become one error.
 */
const errorValueFor = (caught: unknown): xdr.ScVal => {
  if (!(caught instanceof HostError) || !isRecoverable(caught.error)) throw caught
  return xdr.ScVal.scvError(
    caught.error.type === 'sceContract' ? caught.error : xdr.ScError.sceContext(xdr.ScErrorCode.scecInvalidAction),
  )
}

/** Host functions for the ledger, its storage, events, authorization and calls to other contracts. */
export const ledgerFunctions: HostFunctions = {
  'x.1': {
    name: 'contract_event',
    run: (guest, topics, data) => {
      guest.host.log.emit(guest.frame.contract, takeVec(guest, topics), take(guest, data))
      return voidValue
    },
  },
  'x.3': {
    name: 'get_ledger_sequence',
    run: (guest) => give(guest, xdr.ScVal.scvU32(guest.host.ledger.sequence)),
  },
  'x.4': {
    name: 'get_ledger_timestamp',
    run: (guest) => give(guest, xdr.ScVal.scvU64(guest.host.ledger.closeTime)),
  },
  'x.5': {
    name: 'fail_with_error',
    run: (guest, raw) => {
      const value = take(guest, raw)
      if (value.type === 'scvError' && value.error.type === 'sceContract')
        throw new HostError(value.error, 'failing with contract error')
      throw hostError('context', 'unexpectedType', 'contracts fail by numbers of their own')
    },
  },
  'x.7': {
    name: 'get_current_contract_address',
    run: (guest) => give(guest, addressValue(contractAddress(guest.frame.contract))),
  },
  'x.8': {
    name: 'get_max_live_until_ledger',
    run: (guest) => give(guest, xdr.ScVal.scvU32(guest.host.ledger.sequence + maxTtl - 1)),
  },
  'l._': {
    name: 'put_contract_data',
    run: (guest, rawKey, rawValue, storage) => {
      const [key, value] = [take(guest, rawKey), take(guest, rawValue)]
      if (storage === instanceStorage) guest.frame.instance.put(key, value)
      else
        guest.host.storage.put(
          contractDataEntry(contractAddress(guest.frame.contract), key, durabilityOf(storage), value),
        )
      return voidValue
    },
  },
  'l.0': {
    name: 'has_contract_data',
    run: (guest, key, storage) => give(guest, xdr.ScVal.scvBool(find(guest, key, storage) !== undefined)),
  },
  'l.1': {
    name: 'get_contract_data',
    run: (guest, key, storage) => {
      const found = find(guest, key, storage)
      if (found === undefined) throw hostError('storage', 'missingValue', 'nothing is stored under this key')
      return give(guest, found)
    },
  },
  'l.7': {
    name: 'extend_contract_data_ttl',
    run: (guest, key, storage, threshold, extendTo) => {
      const entry = keyIn(guest, take(guest, key), storage)
      guest.host.storage.extend(entry, takeU32(guest, threshold), takeU32(guest, extendTo))
      return voidValue
    },
  },
  'l.c': {
    name: 'extend_contract_instance_ttl',
    run: (guest, contract, threshold, extendTo) => {
      const key = instanceKey(takeContract(guest, contract))
      guest.host.storage.extend(key, takeU32(guest, threshold), takeU32(guest, extendTo))
      return voidValue
    },
  },
  'a.0': {
    name: 'require_auth',
    run: (guest, address) => {
      guest.host.authorization.require(takeAddress(guest, address), guest.frame.args)
      return voidValue
    },
  },
  'a._': {
    name: 'require_auth_for_args',
    run: (guest, address, args) => {
      guest.host.authorization.require(takeAddress(guest, address), takeVec(guest, args))
      return voidValue
    },
  },
  'd._': { name: 'call', run: (guest, contract, name, args) => give(guest, call(guest, contract, name, args)) },
  'd.0': {
    name: 'try_call',
    run: (guest, contract, name, args) => {
      try {
        return give(guest, call(guest, contract, name, args))
      } catch (caught) {
        return give(guest, errorValueFor(caught))
      }
    },
  },
}
