import type { MandateId } from '@quittance/domain'
import { Address, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { signedTransaction } from '../envelope.ts'
import { type EnvelopeView, type MalformedEnvelope, readEnvelope } from '../read-envelope.ts'
import { Id, Reference, readValue } from './stored-values.ts'

/** What a customer asks of a contract like ours: a mandate under a reference, or a further approval for one there is. */
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
 * Reads what a wallet has signed about a mandate: `call` is null of an envelope that asks for anything else, or for more.
 * Nothing is said of its terms: what a mandate that comes of it is worth, the ledger shows.
 * Errors: `MalformedEnvelope`.
 */
export const readSignedCall = (
  envelopeXdr: string,
  networkPassphrase: string,
): E.Either<MalformedEnvelope, { readonly view: EnvelopeView; readonly call: SignedCall | null }> =>
  pipe(
    readEnvelope(envelopeXdr, networkPassphrase),
    E.map((view) => ({ view, call: calledIn(envelopeXdr) })),
  )
