import type { ContractId } from '@quittance/domain'
import { Address, xdr } from '@stellar/stellar-sdk'
import type { MandateParty } from '../../mandate.ts'
import type { ApprovalKey, MandateKey } from '../../mandate-standing.ts'
import { NATIVE } from '../assets.ts'
import { holdingKey } from '../balances.ts'
import { address, idBytes, structure, symbol, vector } from './contract-values.ts'

const dataKey = (contract: ContractId, key: xdr.ScVal, durability: xdr.ContractDataDurability): string =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract: new Address(contract).toScAddress(), key, durability }),
  ).toXdr('base64')

const { temporary, persistent } = xdr.ContractDataDurability

type Approver = Pick<ApprovalKey, 'contract'> & { readonly customer: MandateParty }

/** The contract's record of a mandate. */
export const recordKey = ({ contract, mandate }: Pick<MandateKey, 'contract' | 'mandate'>): string =>
  dataKey(contract, vector(symbol('Mandate'), idBytes(mandate)), persistent)

/** The contract's memory of the last expiry that was approved through it. */
export const expiryKey = ({ contract, customer }: Approver, token: ContractId): string =>
  dataKey(contract, vector(symbol('Expiry'), address(customer), address(token)), temporary)

/** The token's own record of an approval. Source: the Stellar asset contract's storage. */
export const allowanceKey = ({ contract, customer }: Approver, token: ContractId): string =>
  dataKey(
    token,
    vector(symbol('Allowance'), structure({ from: address(customer), spender: address(contract) })),
    temporary,
  )

/** The customer's account and, unless it pays with the native asset, its trustline. */
export const walletKeys = ({ customer, assetId }: ApprovalKey): ReadonlyArray<string> =>
  [...new Set([NATIVE, assetId])].map((held) => holdingKey({ account: customer, assetId: held }).toXdr('base64'))

/** A contract's instance, which names its code. */
export const instanceKey = (contract: ContractId): string =>
  dataKey(contract, xdr.ScVal.scvLedgerKeyContractInstance(), persistent)

/** Code by its SHA-256. */
export const codeKey = (wasmHash: Uint8Array): string =>
  xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: wasmHash })).toXdr('base64')
