import { type AccountId, ContractId } from '@quittance/domain'
import { Address, Operation, StrKey, xdr } from '@stellar/stellar-sdk'
import { named } from '../../named.ts'
import { networkId, sha256 } from '../transaction-hash.ts'
import { type ContractCall, hostCall } from './calls.ts'

const preimageOf = (deployer: AccountId, salt: Uint8Array): xdr.ContractIdPreimage =>
  xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({ address: new Address(deployer).toScAddress(), salt }),
  )

/** The id that a contract will have: the salt is the hash of its code, so that a second deployment finds the first. */
export const deployedContractId = (
  deployer: AccountId,
  wasmHash: Uint8Array,
  networkPassphrase: string,
): ContractId => {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: networkId(networkPassphrase),
      contractIdPreimage: preimageOf(deployer, wasmHash),
    }),
  )
  return named(ContractId, StrKey.encodeContract(sha256(preimage.toXdr())))
}

/** Puts code on the ledger. */
export const uploadCall = (deployer: AccountId, wasm: Uint8Array): ContractCall =>
  hostCall(deployer, xdr.HostFunction.hostFunctionTypeUploadContractWasm(wasm), null)

/** Creates a contract from uploaded code. */
export const createContractCall = (deployer: AccountId, wasmHash: Uint8Array): ContractCall => {
  const args = new xdr.CreateContractArgsV2({
    contractIdPreimage: preimageOf(deployer, wasmHash),
    executable: xdr.ContractExecutable.contractExecutableWasm(new xdr.Hash(wasmHash)),
    constructorArgs: [],
  })
  return hostCall(
    deployer,
    xdr.HostFunction.hostFunctionTypeCreateContractV2(args),
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(args),
      subInvocations: [],
    }),
  )
}

/** Code for a contract, and its SHA-256 in hex. */
export type ContractCode = { readonly wasm: Uint8Array; readonly sha256: string }

/** The steps by which a contract comes to a ledger that never held it. */
export type ContractCreation = 'upload' | 'create'

/** The contract that an account makes of this code. Its id proves both. */
export const contractMadeBy = (
  deployer: AccountId,
  { sha256: hash }: ContractCode,
  networkPassphrase: string,
): ContractId => deployedContractId(deployer, Buffer.from(hash, 'hex'), networkPassphrase)

/** The call that makes the next part of a contract: its code, then the contract. */
export const creationCall = (deployer: AccountId, code: ContractCode, step: ContractCreation): ContractCall =>
  step === 'upload' ? uploadCall(deployer, code.wasm) : createContractCall(deployer, Buffer.from(code.sha256, 'hex'))

/** The entries that an operation extends (`readOnly`) or restores (`readWrite`), before the simulation of what they cost. */
export const upkeepData = (readOnly: ReadonlyArray<string>, readWrite: ReadonlyArray<string>): string => {
  const keysIn = (keys: ReadonlyArray<string>) => keys.map((key) => xdr.LedgerKey.fromXdr(key, 'base64'))
  return new xdr.SorobanTransactionData({
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({ readOnly: keysIn(readOnly), readWrite: keysIn(readWrite) }),
      instructions: 0,
      diskReadBytes: 0,
      writeBytes: 0,
    }),
    ext: xdr.SorobanTransactionDataExt.v0(),
    resourceFee: 0n,
  }).toXdr('base64')
}

/** Extends the life of entries to at least this many more ledgers. */
export const extendCall = (caller: AccountId, keys: ReadonlyArray<string>, ledgers: number): ContractCall => ({
  caller,
  operation: (_, source) => Operation.extendFootprintTtl({ extendTo: ledgers, ...source }),
  authorised: null,
  transactionData: upkeepData(keys, []),
})
