import { right } from '@quittance/domain/testing/outcomes'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { against } from '../testing/against-node.ts'
import type { NodeBehaviour } from '../testing/json-rpc-server.ts'
import { order, terms, transactionData } from '../testing/mandate-terms.ts'
import { scenario } from '../testing/mandates.ts'

import { cancelCall } from './mandate/calls.ts'
import { simulatedEnvelope } from './mandate/contract-call.ts'
import { mandateIdOf } from './mandate/names.ts'

const networkPassphrase = 'A Network For Tests'
const envelope = right(
  simulatedEnvelope({ ...order, networkPassphrase }, cancelCall(terms.contract, terms.customer, mandateIdOf(terms))),
)

const simulated = (behaviour: NodeBehaviour) =>
  against(
    () => behaviour,
    async (gateway, calls) => ({ answer: await gateway.simulate(envelope)(), calls }),
    200,
  )

describe("a node's simulation of a call", () => {
  const [event = ''] = scenario('trial').steps[0]?.events ?? []
  const diagnostic = (told: xdr.ContractEvent, inSuccessfulContractCall: boolean): string =>
    new xdr.DiagnosticEvent({ inSuccessfulContractCall, event: told }).toXdr('base64')
  const told = xdr.ContractEvent.fromXdr(event, 'base64')
  const success = {
    latestLedger: 20,
    minResourceFee: '400000',
    transactionData: transactionData(4),
    results: [{ auth: ['AAAA'], xdr: xdr.ScVal.scvVoid().toXdr('base64') }],
    events: [
      diagnostic(told, true),
      diagnostic(told, false),
      diagnostic(new xdr.ContractEvent({ ...told, type: xdr.ContractEventType.diagnostic }), true),
    ],
  }
  const expected = {
    _tag: 'Simulated',
    asOf: 20,
    transactionData: transactionData(4),
    minResourceFee: 400_000n,
    auth: ['AAAA'],
    returnValue: 'AAAAAQ==',
    restoredEntries: 0,
    resources: {
      instructions: 4_000_000,
      footprintEntries: 5,
      writtenEntries: 4,
      diskReadEntries: 0,
      diskReadBytes: 100,
      writtenBytes: 800,
      eventBytes: told.toXdr().length,
    },
  }

  it('has the return value, the authorisations and the resources', async () => {
    const { answer, calls } = await simulated({ result: success })
    expect(answer).toEqual(E.right(expected))
    expect(calls).toMatchObject([{ method: 'simulateTransaction', params: { transaction: envelope } }])
  })
  it('has no return value where no contract is called, as for an extended lifetime', async () => {
    const { answer } = await simulated({ result: { ...success, results: undefined, events: null } })
    const resources = { ...expected.resources, eventBytes: 0 }
    expect(answer).toEqual(E.right({ ...expected, auth: [], returnValue: null, resources }))
  })
  it('counts archived entries as read from disk', async () => {
    const data = xdr.SorobanTransactionData.fromXdr(transactionData(4), 'base64')
    const archived = new xdr.SorobanTransactionData({
      ...data,
      ext: xdr.SorobanTransactionDataExt.resourceExt(new xdr.SorobanResourcesExtV0({ archivedSorobanEntries: [0, 2] })),
    })
    const { answer } = await simulated({ result: { ...success, transactionData: archived.toXdr('base64') } })
    expect(answer).toMatchObject(E.right({ restoredEntries: 2, resources: { diskReadEntries: 2 } }))
  })
  it.each([
    ['HostError: Error(Contract, #9)\n\nEvent log (newest first):\n 0: Error(Contract, #10)', 9, 'Contract', '9'],
    ['host invocation failed\n\nCaused by:\n    HostError: Error(Contract, #113)', 113, 'Contract', '113'],
    ['HostError: Error(Budget, ExceededLimit)', null, 'Budget', 'ExceededLimit'],
    ['HostError: Error(Auth, InvalidAction)', null, 'Auth', 'InvalidAction'],
    ['could not unmarshal transaction', null, 'Unknown', 'Unknown'],
  ])('is a refusal by a contract or the host: %j', async (error, contractError, type, code) => {
    const { answer } = await simulated({ result: { latestLedger: 20, error } })
    const hostError = { type, code }
    expect(answer).toEqual(E.right({ _tag: 'SimulationFailed', asOf: 20, contractError, hostError, cause: error }))
  })
  it.each<[string, NodeBehaviour]>([
    ['an error of its own', { error: { code: -32602, message: 'invalid params' } }],
    ['no fee', { result: { ...success, minResourceFee: undefined } }],
    ['resources that are none', { result: { ...success, transactionData: 'AAAA' } }],
    ['silence', 'silence'],
  ])('is unreadable with %s', async (_, behaviour) => {
    const { answer } = await simulated(behaviour)
    expect(answer).toEqual(E.left({ _tag: 'LedgerUnreachable', cause: expect.stringMatching(/./) }))
  })
})
