import { type AssetId, ContractId, MandateId } from '@quittance/domain'
import type { MandateParty, MandateTerms } from '../../mandate.ts'
import { named } from '../../named.ts'
import { sdkAsset } from '../assets.ts'
import { sha256 } from '../transaction-hash.ts'
import { address, textBytes, vector } from './contract-values.ts'

/** The network's own contract of an asset. Source: CAP-46-6. */
export const tokenContractOf = (assetId: AssetId, networkPassphrase: string): ContractId =>
  named(ContractId, sdkAsset(assetId).contractId(networkPassphrase))

/** The contract and the parties of a mandate, and its reference. */
type Named = Readonly<Record<'customer' | 'payee' | 'operator', MandateParty>> &
  Pick<MandateTerms, 'contract' | 'reference'>

/**
 * A mandate's id, known before anyone signs: SHA-256 of the XDR of (contract, customer, payee, operator, reference). The
 * contract refuses it a second time. Former versions of the contract left themselves out.
 */
export const mandateIdOf = ({ contract, customer, payee, operator, reference }: Named): MandateId => {
  const parts = vector(...[contract, customer, payee, operator].map(address), textBytes(reference))
  return named(MandateId, sha256(parts.toXdr()).toString('hex'))
}
