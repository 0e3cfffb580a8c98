import { existsSync, readFileSync } from 'node:fs'
import { Address, Asset, Contract, nativeToScVal, Operation, xdr } from '@stellar/stellar-sdk'
import { keyNumber, signed, testPassphrase } from '../testing/fixture.ts'
import { type Served, serve } from '../testing/server.ts'

type Example = { readonly method: string; readonly name: string; readonly result: Readonly<Record<string, unknown>> }

const file = new URL('../../../../../shared/conformance/rpc-examples.json', import.meta.url)
const examples: ReadonlyArray<Example> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).examples : []

const payer = keyNumber(1)
const payee = keyNumber(2)
const payment = Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount: '1' })
const entryKey = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: payer.xdrAccountId() })).toXdr('base64')

/** Fields that only nodes of other versions report, or that nodes omit when empty. */
const notOurs = new Set(['diagnosticEventsXdr', 'cost', 'contractEventsXdr', 'stateChanges', 'liveUntilLedgerSeq'])

/** The keys and types of a value; of a list, those of its first element. */
const shapeOf = (example: unknown, ours: unknown): unknown => {
  if (Array.isArray(example) && Array.isArray(ours))
    return example.length > 0 && ours.length > 0 ? [shapeOf(example[0], ours[0])] : []
  if (typeof ours !== 'object' || ours === null || typeof example !== 'object' || example === null) return typeof ours
  const fields = Object.entries(ours).filter(([key]) => !notOurs.has(key))
  return Object.fromEntries(fields.map(([key, value]) => [key, shapeOf(Reflect.get(example, key), value)]))
}

const sameShape = (example: unknown, ours: unknown) => {
  expect(shapeOf(example, ours)).toEqual(shapeOf(ours, example))
}

let served: Served
beforeEach(async () => {
  served = await serve()
  await served.client.requestAirdrop(payer.publicKey())
  await served.client.requestAirdrop(payee.publicKey())
})
afterEach(() => served.close())

const ask = async (method: string, params: unknown): Promise<unknown> => {
  const { answer } = await served.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'result') : undefined
}
const send = (...parameters: Parameters<typeof signed>) =>
  ask('sendTransaction', {
    transaction: signed(...parameters)
      .toEnvelope()
      .toXdr('base64'),
  })

const xlm = Asset.native().contractId(testPassphrase)
const instance = new Contract(xlm).getFootprint().toXdr('base64')
const transfer = (amount: string) => {
  const [from, to] = [payer, payee].map((key) => new Address(key.publicKey()).toScVal())
  if (from === undefined || to === undefined) throw new Error('nobody')
  return new Contract(xlm).call('transfer', from, to, nativeToScVal(amount, { type: 'i128' }))
}
const simulate = (amount: string) =>
  ask('simulateTransaction', {
    transaction: signed(served.sandbox, payer, [transfer(amount)])
      .toEnvelope()
      .toXdr('base64'),
  })

/** The hash of a transaction whose contract emitted an event. */
const transferred = async (): Promise<string> => {
  const { sandbox, client } = served
  const prepared = await client.prepareTransaction(signed(sandbox, payer, [transfer('100')]))
  prepared.sign(payer)
  const { hash } = await client.sendTransaction(prepared)
  sandbox.close()
  return hash
}

/** How to make this sandbox give a response like the example's. */
const ours: Readonly<Record<string, () => Promise<unknown>>> = {
  'Native XLM Transfer Events': async () => {
    await transferred()
    return ask('getEvents', { startLedger: 1, filters: [{ type: 'contract', contractIds: [xlm] }] })
  },
  'All Events': async () => {
    await transferred()
    return ask('getEvents', { startLedger: 1 })
  },
  'Statistics about charged transaction fees.': () => ask('getFeeStats', {}),
  'Current node health': () => ask('getHealth', {}),
  'Details of the Current Ledger': () => ask('getLatestLedger', {}),
  "Retrieve a Contract's Counter Entry for an Address": () => ask('getLedgerEntries', { keys: [instance] }),
  "Retrieve a Token's Balance Entry for Contract": () => ask('getLedgerEntries', { keys: [entryKey] }),
  'Retrieve Multiple Ledger Entries from Different Contracts.': () =>
    ask('getLedgerEntries', { keys: [entryKey, instance] }),
  'Successful getLedgers Request': () => ask('getLedgers', { startLedger: 1, pagination: { limit: 2 } }),
  'Testnet Network Configuration': () => ask('getNetwork', {}),
  'Futurenet Network Configuration': () => ask('getNetwork', {}),
  'Successful Transaction': async () => ask('getTransaction', { hash: await transferred() }),
  'Not Found Transaction': () => ask('getTransaction', { hash: '0'.repeat(64) }),
  'Failed Transaction': async () => {
    const { sandbox, client } = served
    const tooMuch = Operation.payment({ destination: payee.publicKey(), asset: Asset.native(), amount: '20000' })
    const { hash } = await client.sendTransaction(signed(sandbox, payer, [tooMuch]))
    sandbox.close()
    return ask('getTransaction', { hash })
  },
  'Successful getTransactions Request': () => ask('getTransactions', { startLedger: 1, pagination: { limit: 5 } }),
  'Successful getTransactions Request Using Cursor': () =>
    ask('getTransactions', { pagination: { cursor: '1', limit: 5 } }),
  'Version information of RPC': () => ask('getVersionInfo', {}),
  'Pending Transaction': () => send(served.sandbox, payer, [payment]),
  'Duplicate Transaction': async () => {
    await send(served.sandbox, payer, [payment])
    return send(served.sandbox, payer, [payment])
  },
  'Error Transaction': () => send(served.sandbox, payer, [payment], { fee: '1' }),
  'Try Again Later Transaction': async () => {
    await send(served.sandbox, payer, [payment])
    return send(served.sandbox, payer, [payment], { fee: '200' })
  },
  'Successful Transaction Simulation': () => simulate('100'),
  'Failed Transaction Simulation': () => simulate('1000000000000'),
}

if (examples.length === 0) process.stderr.write('rpc-examples.json is not at hand: no answer is compared with it\n')

describe('answers', () => {
  it('responses give close times as text, but as numbers in pages', async () => {
    const { read } = served.sandbox
    const { latest, oldest } = read.range()
    const [found] = read.transactionsFrom(1, 1, 1)
    const asText = { latestLedgerCloseTime: `${latest.closeTime}`, oldestLedgerCloseTime: `${oldest.closeTime}` }
    const createdAt = found?.closeTime
    expect(await ask('getTransaction', { hash: found?.hash })).toMatchObject({ ...asText, createdAt: `${createdAt}` })
    expect(await ask('getTransactions', { startLedger: 1 })).toMatchObject({
      latestLedgerCloseTimestamp: latest.closeTime,
      transactions: [{ createdAt }, {}, {}, {}, {}, {}, {}, {}],
    })
    expect(await ask('getLedgers', { startLedger: latest.sequence })).toMatchObject({
      latestLedgerCloseTime: latest.closeTime,
      ledgers: [{ ledgerCloseTime: `${latest.closeTime}` }],
    })
  })

  for (const { method, name, result } of examples.filter((example) => example.name in ours))
    it(`a response has the keys and types of the example: ${method}, ${name}`, async () => {
      const answer = await ours[name]?.()
      sameShape(result, answer)
      if (typeof answer !== 'object' || answer === null) throw new Error('no answer')
      expect(Reflect.get(answer, 'status')).toBe(result.status)
    })

  if (examples.length > 0)
    it('every example has a response to compare', () => {
      expect(examples.map(({ name }) => name).filter((name) => !(name in ours))).toEqual([])
    })
})
