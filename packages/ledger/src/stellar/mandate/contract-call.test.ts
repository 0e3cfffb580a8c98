import { stroops, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { type Transaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Simulation } from '../../simulation.ts'
import { handMadeNetwork, payer, trader } from '../../testing/hand-made.ts'
import { sequence } from '../../testing/ledgers.ts'
import { order, terms, transactionData } from '../../testing/mandate-terms.ts'

import { cancelCall, createCall } from './calls.ts'
import { type ContractCallOrder, prepareCall, preparedCall } from './contract-call.ts'
import { mandateIdOf } from './names.ts'

const enrolment = createCall(terms, handMadeNetwork)

const entryOf = (rootInvocation: xdr.SorobanAuthorizedInvocation): xdr.SorobanAuthorizationEntry =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation,
  })

const tree = (): xdr.SorobanAuthorizedInvocation => {
  if (enrolment.authorised === null) throw new Error('nothing is authorised')
  return enrolment.authorised
}

const simulated = (changed: Partial<Extract<Simulation, { _tag: 'Simulated' }>> = {}): Simulation => ({
  _tag: 'Simulated',
  asOf: sequence(20),
  transactionData: transactionData(4),
  minResourceFee: stroops(400_000n),
  auth: [entryOf(tree()).toXdr('base64')],
  returnValue: null,
  restoredEntries: 0,
  resources: {
    instructions: 4_000_000,
    footprintEntries: 5,
    writtenEntries: 4,
    diskReadEntries: 0,
    diskReadBytes: 100,
    writtenBytes: 800,
    eventBytes: 600,
  },
  ...changed,
})

const read = (envelopeXdr: string): Transaction => {
  const transaction = TransactionBuilder.fromXdr(envelopeXdr, handMadeNetwork)
  if ('innerTransaction' in transaction) throw new Error('a fee bump')
  return transaction
}

describe('a prepared contract call', () => {
  it('has the resources of its simulation, their fee on top of the bid, no memo, and its own hash', () => {
    const prepared = right(preparedCall(order, enrolment, simulated()))
    const transaction = read(prepared.envelopeXdr)
    expect(prepared).toMatchObject({
      transactionHash: Buffer.from(transaction.hash()).toString('hex'),
      maxTime: 1_769_860_920_000,
      resourceFee: 400_000n,
      restoredEntries: 0,
    })
    expect({
      source: transaction.source,
      sequence: transaction.sequence,
      fee: transaction.fee,
      bounds: transaction.timeBounds,
      memo: transaction.memo.type,
      operations: transaction.operations.map(({ type, source }) => [type, source]),
    }).toEqual({
      source: payer,
      sequence: '8',
      fee: '400200',
      bounds: { minTime: '1769860800', maxTime: '1769860920' },
      memo: 'none',
      operations: [['invokeHostFunction', undefined]],
    })
    const { ext } = transaction.toEnvelope().value.tx
    if (ext.type !== 'sorobanData') throw new Error('no resources')
    expect(ext.sorobanData.resources.toXdr('base64')).toBe(
      xdr.SorobanTransactionData.fromXdr(transactionData(4), 'base64').resources.toXdr('base64'),
    )
    expect(ext.sorobanData.resourceFee).toBe(400_000n)
  })

  it('names its caller where another account lends the sequence number', () => {
    const call = cancelCall(terms.contract, trader, mandateIdOf(terms))
    const auth = call.authorised === null ? [] : [entryOf(call.authorised).toXdr('base64')]
    const { envelopeXdr } = right(preparedCall(order, call, simulated({ auth })))
    expect(read(envelopeXdr).operations.map(({ source }) => source)).toEqual([trader])
  })

  it.each<[string, Partial<ContractCallOrder>, E.Either<object, number>]>([
    ['a minute', { notAfter: unixMs(order.ledgerClosedAt + 60_000) }, E.right(60_000)],
    ['longer than it may wait', { notAfter: unixMs(order.ledgerClosedAt + 600_000) }, E.right(120_000)],
    ['no time', { notAfter: order.ledgerClosedAt }, E.left({ _tag: 'TooLate', notAfter: order.ledgerClosedAt })],
  ])('expires with its purpose, which lasts %s', (_, changed, expected) => {
    const prepared = preparedCall({ ...order, ...changed }, enrolment, simulated())
    expect(E.map(({ maxTime }: { maxTime: number }) => maxTime - order.ledgerClosedAt)(prepared)).toEqual(expected)
  })

  const empty: ReadonlyArray<xdr.SorobanAuthorizedInvocation> = []
  const [approval] = tree().subInvocations
  if (approval === undefined) throw new Error('no approval')
  const changedTree = (...subInvocations: ReadonlyArray<xdr.SorobanAuthorizedInvocation>) =>
    entryOf(new xdr.SorobanAuthorizedInvocation({ function: tree().function, subInvocations: [...subInvocations] }))
  it.each<[string, ReadonlyArray<xdr.SorobanAuthorizationEntry>]>([
    ['nothing', []],
    ['no approval', [changedTree(...empty)]],
    ['a second approval', [changedTree(approval, approval)]],
    [
      'more inside the approval',
      [changedTree(new xdr.SorobanAuthorizedInvocation({ function: approval.function, subInvocations: [approval] }))],
    ],
    ['another entry beside it', [entryOf(tree()), entryOf(approval)]],
    ['something else', [entryOf(approval)]],
  ])('is refused where a signature would stand for %s', (_, entries) => {
    const auth = entries.map((entry) => entry.toXdr('base64'))
    expect(preparedCall(order, enrolment, simulated({ auth }))).toEqual(
      E.left({ _tag: 'UnexpectedAuthorisation', auth }),
    )
  })

  it('is refused for a failed simulation, and above the highest fee', () => {
    const failed: Simulation = {
      _tag: 'SimulationFailed',
      asOf: sequence(20),
      contractError: 108,
      hostError: { type: 'Contract', code: '108' },
      cause: 'HostError: Error(Contract, #108)',
    }
    expect(preparedCall(order, enrolment, failed)).toEqual(E.left(failed))
    const resourceFee = stroops(2n ** 32n - 200n)
    expect(preparedCall(order, enrolment, simulated({ minResourceFee: resourceFee }))).toEqual(
      E.left({ _tag: 'FeeOutOfRange', resourceFee }),
    )
    expect(E.isRight(preparedCall(order, enrolment, simulated({ minResourceFee: stroops(resourceFee - 1n) })))).toBe(
      true,
    )
  })

  it('is simulated without resources and authorisations', async () => {
    const asked: Array<Transaction> = []
    const prepared = await prepareCall({
      simulate: (envelope) => {
        asked.push(read(envelope))
        return TE.right(simulated())
      },
    })(order, enrolment)()
    expect(prepared).toEqual(preparedCall(order, enrolment, simulated()))
    expect(asked.map((transaction) => [transaction.fee, transaction.toEnvelope().value.tx.ext?.type])).toEqual([
      ['200', 'v0'],
    ])
  })
})
