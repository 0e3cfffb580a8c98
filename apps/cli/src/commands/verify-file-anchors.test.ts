import { join } from 'node:path'
import { createClient } from '@quittance/client'
import { LedgerSequence, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openService, type Service } from '@quittance/http/testing/service'
import { type LedgerGateway, rpcGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { field } from '../testing/shapes.ts'
import { verifyFileOf } from './verify-file.ts'

describe('verify, of a file of evidence with --anchors', () => {
  let directory: TestDirectory
  let service: Service
  let verify: ReadonlyArray<string>
  beforeAll(async () => {
    directory = testDirectory()
    service = await openService(directory.path)
    const { api, facts, url } = service
    const client = createClient({ baseUrl: url, apiKey: facts.api_key })
    const book = { name: 'A book', type: 'one_time' as const, currency_code: 'EUR', price_amount: 3 }
    const { id: product_id } = await client.products.create(book)
    const { id } = await client.checkouts.createForProduct({ product_id, customer_email: 'ada@shop.example' })
    await client.sandbox.pay({ checkout_id: id })
    const { payment_id } = await client.checkouts.retrieve(id)
    await directory.json('checkpoint')
    await api('/sandbox/advance', { body: { seconds: 86_400 } })
    await api('/sandbox/advance', { body: { seconds: 60 } })
    await directory.json('checkpoint')
    const out = join(directory.path, 'evidence.json')
    await directory.json('evidence', '--payment', payment_id ?? '', '--out', out)
    const key = (await (await fetch(`${service.url}/.well-known/transparency-keys`)).text()).trim()
    verify = ['verify', out, '--key', key, '--anchors']
  }, 60_000)
  afterAll(async () => {
    await service.close()
    directory.remove()
  })

  it('says in which ledger the anchor is, and when that closed', async () => {
    const { status, stdout } = await directory.inside(...verify)
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /transaction [0-9a-f]{64} names the checkpoint of \d+ events, in ledger \d+, which closed at 20[\d-]+T[\d:.]+Z/,
      ),
    })
    const { anchors } = JSON.parse((await directory.inside(...verify, '--json')).stdout)
    expect(anchors).toHaveLength(1)
    const listed = JSON.parse((await directory.inside('checkpoint', '--anchors', '--json')).stdout)
    const [anchor] = anchors
    expect(listed.anchors.at(-1)).toMatchObject({
      ledger: anchor.ledger,
      closed_at: anchor.closed_at,
      transaction_hash: field(anchor, 'transaction_hash'),
    })
  })

  /** What is said of the anchor where a node answers so about the transaction. */
  const saidWith = async (lookUp: LedgerGateway['lookUp']) => {
    const { rpc_url: url, network_passphrase: networkPassphrase } = service.facts
    const ledger = { ...rpcGateway({ url, networkPassphrase, timeoutMs: 60_000 }), lookUp }
    const [, out = '', , key = ''] = verify
    const line = {
      option: (name: string) => (name === 'key' ? key : null),
      isSet: (name: string) => name === 'anchors',
      required: () => out,
    }
    const verified = await verifyFileOf(out, line, { ledgerOf: async () => E.right(ledger) })
    if (E.isLeft(verified)) throw new Error(verified.left.error)
    const { status, text } = verified.right
    return { status, verdict: text.slice(0, text.indexOf(':')), anchor: text.slice(text.lastIndexOf('\n') + 1) }
  }
  const closedAt = unixMs(Date.UTC(2026, 10, 23))
  const sequence = (ledger: number) => decoded(LedgerSequence, ledger)
  const anchored = /^transaction [0-9a-f]{64}, which names the checkpoint of \d+ events, /.source

  it('names a transaction that has failed on its ledger', async () => {
    const outcome = { ledger: sequence(7), closedAt, code: 'txFAILED', operationCodes: [] }
    expect(await saidWith(() => TE.right({ _tag: 'Failed', ...outcome }))).toEqual({
      status: 1,
      verdict: 'not ok',
      anchor: expect.stringMatching(new RegExp(`${anchored}failed on its ledger$`)),
    })
  })

  it('names a transaction that its ledger does not hold', async () => {
    const range = { oldest: sequence(1), oldestClosedAt: closedAt, latest: sequence(1e9), latestClosedAt: closedAt }
    expect(await saidWith(() => TE.right({ _tag: 'NotFound', range }))).toEqual({
      status: 1,
      verdict: 'not ok',
      anchor: expect.stringMatching(new RegExp(`${anchored}is not in ledger \\d+$`)),
    })
    expect(await saidWith(() => TE.right({ _tag: 'NotFound', range: { ...range, oldest: sequence(1e9) } }))).toEqual({
      status: 0,
      verdict: 'ok',
      anchor: expect.stringMatching(/^not checked: .*: no node holds its ledger any more$/),
    })
  })

  it('calls nothing checked where that network is not configured', async () => {
    const { status, stdout } = await runInside({}, ...verify)
    expect(status).toBe(0)
    expect(stdout).toContain('not checked: transaction')
  })
})
