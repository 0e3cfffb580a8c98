import { type rpc, scValToNative, xdr } from '@stellar/stellar-sdk'
import { accountEntry } from '../testing/fixture.ts'
import { called, customer, payee, serveMandates, tokenCall, usdcContract, xlmContract } from '../testing/mandates.ts'
import type { Served } from '../testing/server.ts'

let served: Served
let start: number
beforeEach(async () => {
  served = await serveMandates()
  start = served.sandbox.clock().ledger + 1
  for (const amount of [1n, 2n]) await transfer(usdcContract, amount)
  await transfer(xlmContract, 3n)
})
afterEach(() => served.close())

const transfer = (contract: string, amount: bigint) =>
  called(served, tokenCall(contract, 'transfer', [customer, payee, amount], { source: customer }), { source: customer })

const symbol = (text: string) => xdr.ScVal.scvSymbol(text).toXdr('base64')
const address = (key: typeof customer) =>
  xdr.ScVal.scvAddress(xdr.ScAddress.scAddressTypeAccount(key.xdrAccountId())).toXdr('base64')

type Filters = rpc.Api.EventFilter[]
const amounts = async (filters: Filters, more: object = {}) => {
  const { events } = await served.client.getEvents({ startLedger: start, filters, ...more })
  return events.map(({ value }) => scValToNative(value))
}

describe('getEvents', () => {
  it('getEvents answers each event with its position, transaction and contract', async () => {
    const { events } = await served.client.getEvents({ startLedger: start, endLedger: start + 1, filters: [] })
    const [found] = served.sandbox.read.transactionsFrom(start, 1, 1)
    const id = `${(BigInt(start) << 32n) | (1n << 12n)}`.padStart(19, '0')
    expect(events).toMatchObject([
      {
        type: 'contract',
        ledger: start,
        ledgerClosedAt: new Date((found?.closeTime ?? 0) * 1_000).toISOString().replace('.000', ''),
        id: `${id}-0000000000`,
        transactionIndex: 1,
        operationIndex: 0,
        inSuccessfulContractCall: true,
        txHash: found?.hash,
      },
    ])
    expect(events[0]?.contractId?.contractId()).toBe(usdcContract)
  })

  it.each<[string, () => Filters, ReadonlyArray<bigint>]>([
    ['all without filters', () => [], [1n, 2n, 3n]],
    ['those of a type', () => [{ type: 'contract' }], [1n, 2n, 3n]],
    ['none of a type that there is not', () => [{ type: 'system' }], []],
    ['those of a contract', () => [{ contractIds: [xlmContract] }], [3n]],
    [
      'those of either of two filters',
      () => [{ contractIds: [xlmContract] }, { contractIds: [usdcContract] }],
      [1n, 2n, 3n],
    ],
    ['those with these topics', () => [{ topics: [[symbol('transfer'), address(customer), '*', '*']] }], [1n, 2n, 3n]],
    ['those of this receiver', () => [{ topics: [['*', '*', address(payee), '*']] }], [1n, 2n, 3n]],
    ['none of another sender', () => [{ topics: [['*', address(payee), '*', '*']] }], []],
    ['none with fewer topics', () => [{ topics: [[symbol('transfer')]] }], []],
    ['those that begin so', () => [{ topics: [[symbol('transfer'), '**']] }], [1n, 2n, 3n]],
    ['all for any topics', () => [{ topics: [['**']] }], [1n, 2n, 3n]],
    [
      'those that fit contract and topics',
      () => [{ contractIds: [usdcContract], topics: [[symbol('mint'), '**']] }],
      [],
    ],
  ])('answers %s', async (_, filters, expected) => {
    expect(await amounts(filters())).toEqual(expected)
  })

  it('getEvents pages resume after the previous cursor, and at the end', async () => {
    const first = await served.client.getEvents({ startLedger: start, filters: [], limit: 2 })
    expect(first.cursor).toBe(first.events.at(-1)?.id)
    const second = await served.client.getEvents({ cursor: first.cursor, filters: [], limit: 2 })
    expect(second.events.map(({ value }) => scValToNative(value))).toEqual([3n])
    await transfer(usdcContract, 4n)
    const third = await served.client.getEvents({ cursor: second.cursor, filters: [] })
    expect(third.events.map(({ value }) => scValToNative(value))).toEqual([4n])
  })

  it('getEvents ends before `endLedger`', async () => {
    expect(await amounts([], { endLedger: start + 2 })).toEqual([1n, 2n])
  })

  it.each<[string, unknown, string]>([
    ['six filters', Array.from({ length: 6 }, () => ({})), 'maximum 5 filters per request'],
    ['a type that there is not', [{ type: 'fee' }], 'filter 1 invalid: filter type invalid'],
    ['what is no contract', [{ contractIds: ['C'] }], 'filter 1 invalid: contract ID invalid'],
    ['a topic of nothing', [{ topics: [[]] }], 'filter 1 invalid: topic must have at least one segment'],
    [
      'five segments',
      [{ topics: [['*', '*', '*', '*', '*']] }],
      'filter 1 invalid: topic cannot have more than 4 segments',
    ],
    ['a ** in the middle', [{ topics: [['**', '*']] }], "filter 1 invalid: wildcard '**' is only allowed as the last"],
    ['a segment that is no value', [{ topics: [['transfer']] }], 'filter 1 invalid: invalid topic segment'],
  ])('refuses %s', async (_, filters, message) => {
    const { answer } = await served.post(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getEvents', params: { startLedger: start, filters } }),
    )
    expect(answer).toMatchObject({ error: { code: -32602, message: expect.stringContaining(message) } })
  })

  it('getEvents omits events of failed transactions', async () => {
    const before = accountEntry(served.sandbox, customer).balance
    await expect(transfer(usdcContract, 1_000_000_000_000n)).rejects.toThrow('Error(Contract, #10)')
    expect(accountEntry(served.sandbox, customer).balance).toBe(before)
    expect(await amounts([])).toEqual([1n, 2n, 3n])
  })
})
