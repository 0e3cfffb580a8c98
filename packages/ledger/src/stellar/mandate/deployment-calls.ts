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

/** Extends the life of entries to at least this many more ledgers. */
export const extendCall = (deployer: AccountId, keys: ReadonlyArray<string>, ledgers: number): ContractCall => ({
  caller: deployer,
  operation: (_, source) => Operation.extendFootprintTtl({ extendTo: ledgers, ...source }),
  authorised: null,
  transactionData: new xdr.SorobanTransactionData({
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({
        readOnly: keys.map((key) => xdr.LedgerKey.fromXdr(key, 'base64')),
        readWrite: [],
      }),
      instructions: 0,
      diskReadBytes: 0,
      writeBytes: 0,
    }),
    ext: xdr.SorobanTransactionDataExt.v0(),
    resourceFee: 0n,
  }).toXdr('base64'),
})
