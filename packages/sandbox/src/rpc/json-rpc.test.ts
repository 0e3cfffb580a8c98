import { request } from 'node:http'
import { Asset, Operation, xdr } from '@stellar/stellar-sdk'
import { funded, keyNumber, signed } from '../testing/fixture.ts'
import { type Served, serve } from '../testing/server.ts'

const payer = keyNumber(1)

let served: Served
beforeEach(async () => {
  served = await serve()
})
afterEach(() => served.close())

const ask = async (method: string, params?: unknown) => {
  const { answer } = await served.post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }))
  return answer
}
const failure = (code: number, message: string, id: number | null = 7) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

describe('JSON-RPC', () => {
  it('answers a batch in order and omits notifications', async () => {
    const batch = [
      { jsonrpc: '2.0', id: 'a', method: 'getLatestLedger' },
      { jsonrpc: '2.0', method: 'getHealth' },
      { jsonrpc: '2.0', id: 2, method: 'nothing' },
    ]
    const { answer } = await served.post(JSON.stringify(batch))
    expect(answer).toEqual([
      { jsonrpc: '2.0', id: 'a', result: expect.objectContaining({ sequence: 4 }) },
      { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'no such method "nothing"' } },
    ])
    expect(await served.post(JSON.stringify([batch[1]]))).toEqual({ status: 204, answer: undefined })
  })

  it.each<[string, string, number, string]>([
    ['no JSON', '{', -32700, 'parse error'],
    ['no request', '3', -32600, 'invalid request value'],
    ['no version', '{"id":1,"method":"getHealth"}', -32600, 'invalid request value'],
    ['an empty batch', '[]', -32600, 'empty request batch'],
    ['a huge batch', JSON.stringify(Array.from({ length: 101 }, () => 1)), -32600, 'request batch too large'],
  ])('says what is wrong with %s', async (_, body, code, message) => {
    expect(await served.post(body)).toEqual({ status: 200, answer: failure(code, message, null) })
  })

  it.each<[string, unknown, number, string]>([
    [
      'getLedgers',
      { startLedger: 5 },
      -32600,
      'start ledger (5) must be between the oldest ledger: 1 and the latest ledger: 4 for this rpc instance',
    ],
    [
      'getLedgers',
      {},
      -32600,
      'start ledger (0) must be between the oldest ledger: 1 and the latest ledger: 4 for this rpc instance',
    ],
    ['getLedgers', { startLedger: 1, pagination: { limit: 201 } }, -32600, 'limit must not exceed 200'],
    [
      'getLedgers',
      { startLedger: 1, pagination: { cursor: '1' } },
      -32600,
      'startLedger (1) and cursor (1) cannot both be set',
    ],
    [
      'getLedgers',
      { pagination: { cursor: '4' } },
      -32602,
      "cursor ('4') must be between the oldest ledger: 1 and the latest ledger: 4 for this rpc instance",
    ],
    ['getLedgers', { pagination: { cursor: 'x' } }, -32602, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'getTransactions',
      { startLedger: 9 },
      -32600,
      'start ledger (9) must be between the oldest ledger: 1 and the latest ledger: 4 for this rpc instance',
    ],
    ['getEvents', { startLedger: 5 }, -32600, 'startLedger must be within the ledger range: 1 - 4'],
    ['getTransaction', { hash: 'ab' }, -32602, 'unexpected hash length (2)'],
    ['getTransaction', { hash: 'x'.repeat(64) }, -32602, 'incorrect hash: invalid byte'],
    ['getTransaction', [], -32602, 'invalid parameters'],
    [
      'getLedgerEntries',
      { keys: Array.from({ length: 201 }, () => '') },
      -32602,
      'key count (201) exceeds maximum supported (200)',
    ],
    ['getLedgerEntries', { keys: ['AAAA'] }, -32602, 'cannot unmarshal key value AAAA at index 0'],
    ['sendTransaction', { transaction: 'AAAA' }, -32602, 'invalid_xdr'],
  ])('refuses as a node does: %s %j', async (method, params, code, message) => {
    expect(await ask(method, params)).toEqual(failure(code, message))
  })

  it('answers 413 to a body that is too large, and 405 to other HTTP methods', async () => {
    expect((await served.post('x'.repeat(600_000))).status).toBe(413)
    expect((await fetch(served.url)).status).toBe(405)
    expect((await fetch(`${served.url}/friendbot`, { method: 'DELETE' })).status).toBe(405)
  })

  it('allows calls from any origin', async () => {
    const preflight = await fetch(served.url, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  })

  it('survives a client that disconnects midway, and an unknown path', async () => {
    await new Promise<void>((resolve) => {
      const half = request(served.url, { method: 'POST', headers: { 'content-length': '100' } })
      half.on('error', () => resolve())
      half.write('{', () => half.destroy())
      half.on('close', () => resolve())
    })
    await fetch(`${served.url}//%`)
    expect(await ask('getHealth')).toMatchObject({ result: { status: 'healthy' } })
  })
})

describe('pages', () => {
  it('pages of ledgers resume after the cursor', async () => {
    for (let count = 0; count < 5; count += 1) served.sandbox.close()
    const pages = []
    let cursor = '0'
    for (let count = 0; count < 3; count += 1) {
      const page = await served.client._getLedgers({ pagination: { cursor, limit: 3 } })
      pages.push(page.ledgers.map(({ sequence }) => sequence))
      cursor = page.cursor
    }
    expect(pages).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ])
  })

  it('pages of transactions resume after the cursor, in the order of application', async () => {
    const keys = [1, 2, 3, 4].map(keyNumber)
    await funded(served.sandbox, ...keys)
    for (const key of keys)
      await served.client.sendTransaction(
        signed(served.sandbox, key, [
          Operation.payment({ destination: payer.publicKey(), asset: Asset.native(), amount: '1' }),
        ]),
      )
    const { sequence } = served.sandbox.close()
    const places: string[] = []
    let page = await served.client._getTransactions({ startLedger: sequence, pagination: { limit: 3 } })
    for (let count = 0; count < 3; count += 1) {
      places.push(...(page.transactions ?? []).map(({ ledger, applicationOrder }) => `${ledger}/${applicationOrder}`))
      page = await served.client._getTransactions({ pagination: { cursor: page.cursor, limit: 3 } })
    }
    expect(places).toEqual([1, 2, 3, 4].map((order) => `${sequence}/${order}`))
  })
})

describe('an answer to a submission', () => {
  it('a refused submission answers its result and hash', async () => {
    await funded(served.sandbox, payer)
    const transaction = signed(served.sandbox, payer, [], {})
    const sent = await served.client.sendTransaction(transaction)
    expect(sent).toMatchObject({ status: 'ERROR', hash: Buffer.from(transaction.hash()).toString('hex') })
    expect(sent.errorResult).toEqual(
      new xdr.TransactionResult({
        feeCharged: 100n,
        result: xdr.TransactionResultResult.txMissingOperation(),
        ext: xdr.TransactionResultExt.v0(),
      }),
    )
  })
})
