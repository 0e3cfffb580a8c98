import type { MandateId } from '@quittance/domain'
import { Address, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { signedTransaction } from '../envelope.ts'
import { type EnvelopeView, type MalformedEnvelope, readEnvelope } from '../read-envelope.ts'
import { Id, Reference, readValue } from './stored-values.ts'

/**
 * A customer's call of a contract like ours: a mandate under a reference, or a further approval for an existing one.
 */
export type SignedCall = { readonly contract: string } & (
  | { readonly _tag: 'create'; readonly reference: string }
  | { readonly _tag: 'renew_allowance'; readonly mandate: MandateId }
)

/** Where `create` takes the reference. */
const referenceAt = 12

const calledIn = (envelopeXdr: string): SignedCall | null => {
  const { operations } = signedTransaction(xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64'))
  const [body, ...others] = operations.map((operation) => operation.body)
  if (body?.type !== 'invokeHostFunction' || others.length > 0) return null
  const { hostFunction } = body.invokeHostFunctionOp
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return null
  const { contractAddress, functionName, args } = hostFunction.invokeContract
  const contract = Address.fromScAddress(contractAddress).toString()
  const [first, last] = [args[0], args[referenceAt]]
  switch (functionName.toString()) {
    case 'create': {
      const reference = last === undefined ? null : readValue(Reference, last)
      return reference === null ? null : { _tag: 'create', contract, reference }
    }
    case 'renew_allowance': {
      const mandate = first === undefined ? null : readValue(Id, first)
      return mandate === null ? null : { _tag: 'renew_allowance', contract, mandate }
    }
    default:
      return null
  }
}

/**
 * Reads what a wallet has signed about a mandate; `call` is null for an envelope that calls anything else, or more. It
 * does not check the terms: the mandate that the ledger then holds does.
 * Errors: `MalformedEnvelope`.
 */
export const readSignedCall = (
  envelopeXdr: string,
  networkPassphrase: string,
): E.Either<MalformedEnvelope, { readonly view: EnvelopeView; readonly call: SignedCall | null }> =>
  E.map((view: EnvelopeView) => ({ view, call: calledIn(envelopeXdr) }))(readEnvelope(envelopeXdr, networkPassphrase))
