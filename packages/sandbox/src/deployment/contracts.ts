import { Asset, Contract, type Keypair, StrKey, xdr } from '@stellar/stellar-sdk'
import { contractIdOf, mandateWasmHash } from '../contracts/index.ts'
import type { Network } from '../network.ts'

/** The mandate contract's salt is its code hash, so that another version becomes another contract. */
export const mandateSalt: Uint8Array = Buffer.from(mandateWasmHash, 'hex')

/** The network's mandate contract, `C…`. */
export const mandateContractOf = ({ id, contractKeeper }: Pick<Network, 'id' | 'contractKeeper'>): string => {
  const address = xdr.ScAddress.scAddressTypeAccount(contractKeeper.xdrAccountId())
  const preimage = xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({ address, salt: mandateSalt }),
  )
  return StrKey.encodeContract(contractIdOf(id, preimage).value)
}

/** An asset's contract, and the account that deploys it. */
export type AssetContract = { readonly asset: Asset; readonly id: string; readonly deployer: Keypair }

/** The contracts of the sandbox's assets. Issuers deploy their own asset's contract, the root account that of XLM. */
export const assetContractsOf = ({ passphrase, issuers, root }: Network): ReadonlyArray<AssetContract> => {
  const contractOf = (asset: Asset, deployer: Keypair) => ({ asset, id: asset.contractId(passphrase), deployer })
  return [
    contractOf(Asset.native(), root),
    ...issuers.map(({ code, keypair }) => contractOf(new Asset(code, keypair.publicKey()), keypair)),
  ]
}

export const mandateCodeKey: xdr.LedgerKey = xdr.LedgerKey.contractCode(
  new xdr.LedgerKeyContractCode({ hash: mandateSalt }),
)

export const instanceKeyOf = (contract: string): xdr.LedgerKey => new Contract(contract).getFootprint()
