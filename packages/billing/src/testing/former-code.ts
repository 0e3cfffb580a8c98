import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { MandateId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type ContractCall, createCall, type MandateTerms } from '@quittance/ledger'
import { Address, nativeToScVal, Operation, xdr } from '@stellar/stellar-sdk'

/** The mandate contract of the version before 1.0. */
export const formerWasm = readFileSync(new URL('../../../../contracts/mandate/former/a8abf63b.wasm', import.meta.url))

/** How that version was called: its `create` replaces nothing, and its ids do not name the contract. */
export const formerCode = {
  create: (terms: MandateTerms, networkPassphrase: string): ContractCall => {
    const { authorised, ...call } = createCall(terms, networkPassphrase)
    if (authorised?.function.type !== 'sorobanAuthorizedFunctionTypeContractFn') throw new Error('no call')
    const { contractAddress, functionName, args } = authorised.function.contractFn
    const invocation = new xdr.InvokeContractArgs({ contractAddress, functionName, args: args.slice(0, -1) })
    const func = xdr.HostFunction.hostFunctionTypeInvokeContract(invocation)
    return {
      ...call,
      operation: (auth, source) => Operation.invokeHostFunction({ func, auth: [...auth], ...source }),
      authorised: new xdr.SorobanAuthorizedInvocation({
        function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
        subInvocations: authorised.subInvocations,
      }),
    }
  },
  idOf: ({ customer, payee, operator, reference }: Record<'customer' | 'payee' | 'operator' | 'reference', string>) => {
    const parties = [customer, payee, operator].map((each) => new Address(each).toScVal())
    const parts = xdr.ScVal.scvVec([...parties, nativeToScVal(Buffer.from(reference))])
    return decoded(MandateId, createHash('sha256').update(parts.toXdr()).digest('hex'))
  },
}
