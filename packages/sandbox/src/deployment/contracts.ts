import { Asset, Contract, type Keypair, StrKey, xdr } from '@stellar/stellar-sdk'
import { contractIdOf, formerMandateHashes, mandateWasmHash } from '../contracts/index.ts'
import type { Network } from '../network.ts'

/** The mandate contract's salt is its code hash, so that another version becomes another contract. */
export const mandateSalt: Uint8Array = Buffer.from(mandateWasmHash, 'hex')

type Keeper = Pick<Network, 'id' | 'contractKeeper'>

const keptContract = ({ id, contractKeeper }: Keeper, salt: Uint8Array): string => {
  const address = xdr.ScAddress.scAddressTypeAccount(contractKeeper.xdrAccountId())
  const preimage = xdr.ContractIdPreimage.contractIdPreimageFromAddress(
    new xdr.ContractIdPreimageFromAddress({ address, salt }),
  )
  return StrKey.encodeContract(contractIdOf(id, preimage).value)
}

/** The network's mandate contract, `C…`. */
export const mandateContractOf = (keeper: Keeper): string => keptContract(keeper, mandateSalt)

/** The contracts that former versions made, newest first; they are on the ledger if it is as old. */
export const formerMandatesOf = (
  keeper: Keeper,
): ReadonlyArray<{ readonly id: string; readonly code: xdr.LedgerKey }> =>
  formerMandateHashes.map((hash) => {
    const salt = Buffer.from(hash, 'hex')
    return { id: keptContract(keeper, salt), code: codeKeyOf(salt) }
  })

const codeKeyOf = (hash: Uint8Array): xdr.LedgerKey =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash }))

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

export const mandateCodeKey: xdr.LedgerKey = codeKeyOf(mandateSalt)

export const instanceKeyOf = (contract: string): xdr.LedgerKey => new Contract(contract).getFootprint()
