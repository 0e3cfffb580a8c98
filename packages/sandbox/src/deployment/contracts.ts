import { Asset, Contract, type Keypair, StrKey, xdr } from '@stellar/stellar-sdk'
import { contractIdOf, mandateWasmHash } from '../contracts/index.ts'
import type { Network } from '../network.ts'

/** The salt of the mandate contract is the hash of its code: another version of it is another contract. */
export const mandateSalt: Uint8Array = Buffer.from(mandateWasmHash, 'hex')

/** The id of the mandate contract in a network, `C…`. */
export const mandateContractOf = ({ id, contractKeeper }: Pick<Network, 'id' | 'contractKeeper'>): string => {
  const address = xdr.ScAddress.scAddressTypeAccount(contractKeeper.xdrAccountId())
  const preimage = xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({ address, salt: mandateSalt }),
  )
  return StrKey.encodeContract(contractIdOf(id, preimage).value)
}

/** An asset's contract, and who puts it on the ledger. */
export type AssetContract = { readonly asset: Asset; readonly id: string; readonly deployer: Keypair }

/** The contracts of the assets that a sandbox has. Issuers see to their own asset's, the root account to XLM's. */
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

/** What a contract's instance is filed under. */
export const instanceKeyOf = (contract: string): xdr.LedgerKey => new Contract(contract).getFootprint()
