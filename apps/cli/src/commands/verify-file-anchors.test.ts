import { join } from 'node:path'
import { createClient } from '@quittance/client'
import { openService, type Service } from '@quittance/http/testing/service'
import { runInside, type TestDirectory, testDirectory } from '../testing/run-cli.ts'
import { field } from '../testing/shapes.ts'

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

  it('calls nothing checked where that network is not configured', async () => {
    const { status, stdout } = await runInside({}, ...verify)
    expect(status).toBe(0)
    expect(stdout).toContain('not checked: transaction')
  })
})
