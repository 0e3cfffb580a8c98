import { right } from '@quittance/domain/testing/outcomes'
import { Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { handMadeNetwork, payer } from '../../testing/hand-made.ts'
import { order, terms } from '../../testing/mandate-terms.ts'

import { type ContractCall, cancelCall, createCall, renewCall } from './calls.ts'
import { authorisations, simulatedEnvelope } from './contract-call.ts'
import { mandateIdOf } from './names.ts'
import { readSignedCall } from './signed-call.ts'

const mandate = mandateIdOf(terms)
const create = createCall(terms, handMadeNetwork)
const envelopeOf = (call: ContractCall): string => right(simulatedEnvelope(order, call))
const readCall = (envelopeXdr: string) => right(readSignedCall(envelopeXdr, handMadeNetwork)).call

/** The same call with other arguments. */
const altered = (change: (args: ReadonlyArray<xdr.ScVal>) => ReadonlyArray<xdr.ScVal>): string => {
  const { body } = create.operation(authorisations(create), {})
  if (body.type !== 'invokeHostFunction') throw new Error('no call')
  const { hostFunction } = body.invokeHostFunctionOp
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') throw new Error('no contract')
  const { contractAddress, functionName, args } = hostFunction.invokeContract
  const invocation = new xdr.InvokeContractArgs({ contractAddress, functionName, args: [...change(args)] })
  const func = xdr.HostFunction.hostFunctionTypeInvokeContract(invocation)
  return envelopeOf({ ...create, operation: () => Operation.invokeHostFunction({ func, auth: [] }) })
}

describe('a signed call about a mandate', () => {
  it('is a creation, with its reference', () => {
    const { contract, reference } = terms
    expect(readCall(envelopeOf(create))).toEqual({ _tag: 'create', contract, reference })
  })

  it('is a renewed approval', () => {
    const { contract } = terms
    const renewal = renewCall({ ...terms, mandate }, handMadeNetwork)
    expect(readCall(envelopeOf(renewal))).toEqual({ _tag: 'renew_allowance', contract, mandate })
  })

  it('is null where something else is called, or paid', () => {
    expect(readCall(envelopeOf(cancelCall(terms.contract, payer, mandate)))).toBeNull()
  })

  it.each<[string, (args: ReadonlyArray<xdr.ScVal>) => ReadonlyArray<xdr.ScVal>]>([
    ['too few arguments', (args) => args.slice(0, 12)],
    ['another kind of reference', (args) => [...args.slice(0, 12), xdr.ScVal.scvU32(1)]],
    ['no arguments', () => []],
  ])('is null with %s', (_, change) => {
    expect(readCall(altered(change))).toBeNull()
  })

  it('is null where the transaction holds more', () => {
    const transaction = TransactionBuilder.fromXdr(envelopeOf(create), handMadeNetwork)
    const envelope = transaction.toEnvelope()
    if (envelope.type !== 'envelopeTypeTx') throw new Error('no transaction')
    const { tx } = envelope.v1
    const twice = new xdr.Transaction({ ...tx, operations: [...tx.operations, ...tx.operations] })
    const v1 = new xdr.TransactionV1Envelope({ tx: twice, signatures: [] })
    expect(readCall(xdr.TransactionEnvelope.envelopeTypeTx(v1).toXdr('base64'))).toBeNull()
  })

  it('is malformed without an envelope', () => {
    const read = readSignedCall('AAAA', handMadeNetwork)
    expect(E.isLeft(read) && read.left._tag).toBe('MalformedEnvelope')
  })
})
