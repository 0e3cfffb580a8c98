import type { AccountId, ContractId, MandateId } from '@quittance/domain'
import { Address, Operation, xdr } from '@stellar/stellar-sdk'
import type { MandateCharge, MandateTerms } from '../../mandate.ts'
import {
  address,
  i128,
  idBytes,
  seconds,
  secondsOrNone,
  structure,
  textBytes,
  u32,
  unitNumber,
  vector,
} from './contract-values.ts'
import { tokenContractOf } from './names.ts'

/**
 * Something that is asked of contracts by `caller`, the source of its operation. `authorised` is all that the caller's
 * signature on the transaction then stands for, null for nothing. `transactionData` is what has to be known of the
 * resources before a simulation (base64 `SorobanTransactionData`), as a rule nothing.
 */
export type ContractCall = {
  readonly caller: AccountId
  readonly operation: (auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>, source: OperationSource) => xdr.Operation
  readonly authorised: xdr.SorobanAuthorizedInvocation | null
  readonly transactionData: string | null
}

/** The source of an operation, where it is not that of its transaction. */
export type OperationSource = { readonly source?: AccountId }

/** A call of a host function. */
export const hostCall = (
  caller: AccountId,
  func: xdr.HostFunction,
  authorised: xdr.SorobanAuthorizedInvocation | null,
): ContractCall => ({
  caller,
  operation: (auth, source) => Operation.invokeHostFunction({ func, auth: [...auth], ...source }),
  authorised,
  transactionData: null,
})

/** A further approval: the contract refuses less than the present allowance, and an earlier expiry than the last. */
export type Renewal = Pick<
  MandateTerms,
  'contract' | 'customer' | 'assetId' | 'allowance' | 'allowanceExpiryLedger'
> & {
  readonly mandate: MandateId
}

const invoked = (contract: ContractId, name: string, args: ReadonlyArray<xdr.ScVal>): xdr.InvokeContractArgs =>
  new xdr.InvokeContractArgs({
    contractAddress: new Address(contract).toScAddress(),
    functionName: name,
    args: [...args],
  })

const authorisedTree = (
  invocation: xdr.InvokeContractArgs,
  ...inside: ReadonlyArray<xdr.SorobanAuthorizedInvocation>
): xdr.SorobanAuthorizedInvocation =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
    subInvocations: [...inside],
  })

const called = (
  caller: AccountId,
  invocation: xdr.InvokeContractArgs,
  ...inside: ReadonlyArray<xdr.SorobanAuthorizedInvocation>
): ContractCall =>
  hostCall(caller, xdr.HostFunction.hostFunctionTypeInvokeContract(invocation), authorisedTree(invocation, ...inside))

const approval = (
  token: ContractId,
  { customer, contract, allowance, allowanceExpiryLedger }: Omit<Renewal, 'mandate' | 'assetId'>,
): xdr.SorobanAuthorizedInvocation =>
  authorisedTree(
    invoked(token, 'approve', [address(customer), address(contract), i128(allowance), u32(allowanceExpiryLedger)]),
  )

/** The customer creates a mandate, and approves its allowance by the same signature. */
export const createCall = (terms: MandateTerms, networkPassphrase: string): ContractCall => {
  const token = tokenContractOf(terms.assetId, networkPassphrase)
  const invocation = invoked(terms.contract, 'create', [
    address(terms.customer),
    address(terms.payee),
    address(terms.operator),
    address(token),
    i128(terms.cap),
    unitNumber(terms.intervalUnit),
    u32(terms.intervalCount),
    seconds(terms.firstChargeAt),
    secondsOrNone(terms.endsAt),
    i128(terms.firstAmount),
    i128(terms.allowance),
    u32(terms.allowanceExpiryLedger),
    textBytes(terms.reference),
    terms.replaces === undefined ? xdr.ScVal.scvVoid() : idBytes(terms.replaces),
  ])
  return called(terms.customer, invocation, approval(token, terms))
}

/** The customer approves a further allowance. */
export const renewCall = (renewal: Renewal, networkPassphrase: string): ContractCall => {
  const { contract, customer, mandate, allowance, allowanceExpiryLedger } = renewal
  const invocation = invoked(contract, 'renew_allowance', [
    idBytes(mandate),
    i128(allowance),
    u32(allowanceExpiryLedger),
  ])
  return called(customer, invocation, approval(tokenContractOf(renewal.assetId, networkPassphrase), renewal))
}

const item = ({ mandate, periodStart, amount, reference }: MandateCharge): xdr.ScVal =>
  structure({
    amount: i128(amount),
    mandate: idBytes(mandate),
    period_start: seconds(periodStart),
    reference: textBytes(reference),
  })

/** The operator collects from several; what fails of them stops none of the others. */
export const chargeManyCall = (
  contract: ContractId,
  operator: AccountId,
  charges: ReadonlyArray<MandateCharge>,
): ContractCall => called(operator, invoked(contract, 'charge_many', [address(operator), vector(...charges.map(item))]))

/** Ends a mandate for good; `by` is its customer or its operator. */
export const cancelCall = (contract: ContractId, by: AccountId, mandate: MandateId): ContractCall =>
  called(by, invoked(contract, 'cancel', [idBytes(mandate), address(by)]))
