import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { addressOf } from '../addresses.ts'
import { signedTransaction } from '../envelope.ts'
import { type EnvelopeView, type MalformedEnvelope, readEnvelope } from '../read-envelope.ts'
import type { ContractCall } from './calls.ts'
import { authorisations } from './contract-call.ts'

/** Why an envelope must not be relayed as a call that it is said to be. */
export type OtherCall = {
  readonly _tag: 'OtherCall'
  readonly because: 'operations' | 'call' | 'source' | 'memo' | 'no_time_bound'
}

/** The call as one operation of the caller's own transaction. */
const expected = (call: ContractCall): string => call.operation(authorisations(call), {}).body.toXdr('base64')

const differenceIn = (
  envelopeXdr: string,
  { source, maxTime }: EnvelopeView,
  call: ContractCall,
): OtherCall['because'] | null => {
  const transaction = signedTransaction(xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64'))
  const [operation, ...others] = transaction.operations
  if (operation === undefined || others.length > 0) return 'operations'
  if (operation.body.toXdr('base64') !== expected(call)) return 'call'
  const operationSource = operation.sourceAccount === null ? transaction.source : addressOf(operation.sourceAccount)
  const isCallers = [transaction.source, operationSource].every(
    ({ account, muxedId }) => account === call.caller && muxedId === null,
  )
  if (!isCallers || source !== call.caller) return 'source'
  if (transaction.memo.type !== 'memoNone') return 'memo'
  return maxTime === null ? 'no_time_bound' : null
}

/**
 * Reads an envelope that a wallet has signed, to be relayed only where it is this call and nothing else: one operation,
 * of the caller's own transaction, with exactly these arguments and authorisations. Fees, resources and a fee bump around
 * it are free.
 * Errors: `MalformedEnvelope`; `OtherCall`.
 */
export const checkCall = (
  envelopeXdr: string,
  call: ContractCall,
  networkPassphrase: string,
): E.Either<MalformedEnvelope | OtherCall, EnvelopeView> =>
  pipe(
    readEnvelope(envelopeXdr, networkPassphrase),
    E.chainW((view) => {
      const because = differenceIn(envelopeXdr, view, call)
      return because === null ? E.right(view) : E.left<OtherCall>({ _tag: 'OtherCall', because })
    }),
  )
