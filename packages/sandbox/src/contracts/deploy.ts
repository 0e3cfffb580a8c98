import { xdr } from '@stellar/stellar-sdk'
import { contractCodeKey } from '../ledger/entry-keys.ts'
import { sha256 } from '../network.ts'
import { instanceEntry, instanceKey } from './contract-entries.ts'
import type { Host } from './host.ts'
import { hostError } from './host-error.ts'
import { addressValue, contractAddress } from './values/sc-values.ts'
import { moduleOf } from './wasm/module.ts'

/** A contract's id: derived from the network and either the asset, or the deployer and a salt. */
export const contractIdOf = (networkId: Uint8Array, contractIdPreimage: xdr.ContractIdPreimage): xdr.ContractId => {
  const preimage = new xdr.HashIdPreimageContractId({ networkId, contractIdPreimage })
  return new xdr.ContractId(sha256(xdr.HashIdPreimage.envelopeTypeContractId(preimage).toXdr()))
}

/** Runs as a call that the deployer must have authorized. */
const asDeployer = (host: Host, deployer: xdr.ScAddress, args: xdr.CreateContractArgsV2, run: () => void): void => {
  const call = xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(args)
  host.authorization.enter({ callWith: () => call })
  try {
    host.authorization.require(deployer, [])
    run()
  } finally {
    host.authorization.leave()
  }
}

const putInstance = (host: Host, contract: xdr.ContractId, executable: xdr.ContractExecutable): void => {
  if (host.storage.find(instanceKey(contract)) !== undefined)
    throw hostError('storage', 'existingValue', 'contract already exists')
  host.storage.put(instanceEntry(contract, new xdr.ScContractInstance({ executable, storage: null })))
}

/** Creates a contract: an asset's token, or one that runs uploaded code. Returns its address. */
export const createContract = (host: Host, args: xdr.CreateContractArgsV2): xdr.ScVal => {
  const { contractIdPreimage: preimage, executable } = args
  const contract = contractIdOf(host.networkId, preimage)
  if (preimage.type === 'contractIdPreimageFromAsset') {
    if (executable.type !== 'contractExecutableStellarAsset')
      throw hostError('value', 'invalidInput', "an asset's contract has no code of its own")
    putInstance(host, contract, executable)
    host.call(contract, 'init_asset', [xdr.ScVal.scvBytes(preimage.fromAsset.toXdr())])
  } else {
    asDeployer(host, preimage.fromAddress.address, args, () => {
      if (executable.type !== 'contractExecutableWasm')
        throw hostError('value', 'invalidInput', 'only an asset has a contract without code')
      if (host.storage.find(contractCodeKey(executable.wasmHash)) === undefined)
        throw hostError('storage', 'missingValue', 'Wasm does not exist')
      putInstance(host, contract, executable)
      if (args.constructorArgs.length > 0)
        throw hostError('context', 'invalidAction', 'constructors are not part of this ledger')
    })
  }
  return addressValue(contractAddress(contract))
}

/** Uploads code that is on the host's list and imports only known functions. Returns its hash. */
export const uploadCode = (host: Host, code: Uint8Array): xdr.ScVal => {
  const hash = sha256(code)
  moduleOf(code, hash, host.executables)
  if (host.storage.find(contractCodeKey(hash)) === undefined) {
    const entry = new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.v0(), hash, code })
    host.storage.put(xdr.LedgerEntryData.contractCode(entry))
  }
  return xdr.ScVal.scvBytes(hash)
}
