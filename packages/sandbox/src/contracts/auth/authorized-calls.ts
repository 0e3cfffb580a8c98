import { xdr } from '@stellar/stellar-sdk'

/** A call that an address authorizes, with the calls inside it. Each may be used once. */
export type AuthorizedCall = {
  readonly function: xdr.SorobanAuthorizedFunction
  readonly id: string
  readonly subCalls: AuthorizedCall[]
  isUsed: boolean
}

/** Rewrites the older form of contract creation as the newer one, without constructor arguments. */
const newestForm = (supplied: xdr.SorobanAuthorizedFunction): xdr.SorobanAuthorizedFunction =>
  supplied.type === 'sorobanAuthorizedFunctionTypeCreateContractHostFn'
    ? xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(
        new xdr.CreateContractArgsV2({ ...supplied.createContractHostFn, constructorArgs: [] }),
      )
    : supplied

/** Identifies a function with its arguments. */
export const functionId = (supplied: xdr.SorobanAuthorizedFunction): string => newestForm(supplied).toXdr('hex')

export const authorizedCall = (
  supplied: xdr.SorobanAuthorizedFunction,
  subCalls: AuthorizedCall[],
  isUsed: boolean,
): AuthorizedCall => ({
  function: supplied,
  id: functionId(supplied),
  subCalls,
  isUsed,
})

export const authorizedCallsIn = (invocation: xdr.SorobanAuthorizedInvocation): AuthorizedCall =>
  authorizedCall(invocation.function, invocation.subInvocations.map(authorizedCallsIn), false)

export const invocationOf = (tree: AuthorizedCall): xdr.SorobanAuthorizedInvocation =>
  new xdr.SorobanAuthorizedInvocation({
    function: tree.function,
    subInvocations: tree.subCalls.map(invocationOf),
  })
