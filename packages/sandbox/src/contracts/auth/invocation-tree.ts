import { xdr } from '@stellar/stellar-sdk'

/** A call that somebody has agreed to, and the calls inside it that come with it. Each is good for once. */
export type Agreed = {
  readonly function: xdr.SorobanAuthorizedFunction
  readonly id: string
  readonly inside: Agreed[]
  isUsed: boolean
}

/** The older form of a contract's creation is the newer one without arguments of the constructor. */
const newestForm = (given: xdr.SorobanAuthorizedFunction): xdr.SorobanAuthorizedFunction =>
  given.type === 'sorobanAuthorizedFunctionTypeCreateContractHostFn'
    ? xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(
        new xdr.CreateContractArgsV2({ ...given.createContractHostFn, constructorArgs: [] }),
      )
    : given

/** The same for calls of the same function with the same arguments. */
export const functionId = (given: xdr.SorobanAuthorizedFunction): string => newestForm(given).toXdr('hex')

export const agreed = (given: xdr.SorobanAuthorizedFunction, inside: Agreed[], isUsed: boolean): Agreed => ({
  function: given,
  id: functionId(given),
  inside,
  isUsed,
})

export const agreedIn = (invocation: xdr.SorobanAuthorizedInvocation): Agreed =>
  agreed(invocation.function, invocation.subInvocations.map(agreedIn), false)

export const invocationOf = (tree: Agreed): xdr.SorobanAuthorizedInvocation =>
  new xdr.SorobanAuthorizedInvocation({
    function: tree.function,
    subInvocations: tree.inside.map(invocationOf),
  })
