import type { AccountId, ContractId, MandateId } from '@quittance/domain'
import type { Network } from '../../services/services.ts'
import type { AuthorizationRequest } from './request.ts'

/** The contract of a subscription's next mandate: the one that new mandates are made in, whatever the present one's is. */
export const contractForNew = (network: Pick<Network, 'mandateContract'> | null, present: ContractId): ContractId =>
  network?.mandateContract ?? present

/** Where a request is answered, and which mandate ends with the answer. */
export type Answered = { readonly contract: ContractId; readonly replaces: MandateId | null }

/**
 * A new mandate ends the present one in the same call, if that is the same wallet's in the same contract; otherwise the
 * operator ends it afterwards. `customer` is null while the wallet is unknown: then it is taken for the same.
 */
export const answered = (
  { kind, state }: AuthorizationRequest,
  network: Pick<Network, 'mandateContract'>,
  customer: AccountId | null,
): Answered => {
  const present = state.authorization.mandate
  if (kind === 'allowance') return { contract: present.contract, replaces: null }
  const contract = contractForNew(network, present.contract)
  const isReplaced = contract === present.contract && (customer === null || customer === present.customer)
  return { contract, replaces: isReplaced ? present.mandateId : null }
}
