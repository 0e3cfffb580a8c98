import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { configFrom } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { drive, newSale, type Sale } from './testing/buyer.ts'
import { clientOf } from './testing/client.ts'
import { metricsAreAt } from './testing/readiness.ts'
import { ledgerIsIngested } from './testing/sale.ts'
import { serve } from './testing/serve.ts'
import { factsIn, temporaryDirectory } from './testing/service.ts'
import { fundedWallet } from './testing/wallet.ts'

const quittance = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
type Settings = Readonly<Record<string, string>>
const lists = ['/products', '/customers', '/checkout', '/payments']

/** What an answer says apart from where the service listens, and when its payments were looked up. */
const lasting = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value) =>
      name === 'synced_at' || name === 'request_id' ? undefined : value,
    ).replace(/127\.0\.0\.1:\d+/g, 'host'),
  )

describe('a platform that moves into PostgreSQL, and back', () => {
  const directory = temporaryDirectory()
  let cluster: Cluster
  let database: string
  let service: Awaited<ReturnType<typeof open>> | null = null

  const open = async (settings: Settings) => {
    const config = configFrom({
      QUITTANCE_PORT: '0',
      QUITTANCE_DATA_DIR: directory.path,
      ...settings,
      QUITTANCE_LOG_LEVEL: 'silent',
    })
    if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
    const served = await serve(config.right)
    if (E.isLeft(served)) throw new Error(JSON.stringify(served.left))
    const { url, metricsUrl, close } = served.right
    metricsAreAt(url, metricsUrl)
    const facts = factsIn(directory.path)
    return { facts, url, api: clientOf(url, facts.api_key), anyone: clientOf(url, null), close }
  }
  const copy = async (from: string, to: string) => {
    const words = [quittance, 'copy', '--from', from, '--to', to, '--json']
    const { stdout } = await promisify(execFile)(process.execPath, words, { env: {} })
    return JSON.parse(stdout)
  }
  const on = async (settings: Settings) => {
    await service?.close()
    service = await open(settings)
    return service
  }

  beforeAll(async () => {
    cluster = await startCluster()
    database = cluster.connectionString
  })
  afterAll(async () => {
    await service?.close()
    await cluster.remove()
    directory.remove()
  })

  it('a moved platform keeps access, lists, idempotent answers and open checkouts, and notices the next payment', async () => {
    const first = await on({})
    const { facts } = first
    const usdc = facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
    const { keypair } = await fundedWallet(facts, [usdc])
    const key = { 'idempotency-key': 'before the move' }
    const keyed = (at: typeof first) =>
      at.api('/checkout?type=direct', { body: { amount: 7, currency_code: 'EUR' }, headers: key })
    const answered = (await keyed(first)).body
    const sales: Array<Sale> = [newSale('sold-embedded', 'rpc')]
    for (const sale of sales) await drive(first, sale, keypair)

    const ada = { email: 'ada@example.com', name: 'Ada' }
    const customer = (await first.api('/customers', { body: ada })).body.data.id

    const seen = async (at: typeof first) => {
      await ledgerIsIngested(at)
      const pages = await Promise.all(lists.map((list) => at.api(`${list}?limit=100`)))
      const access = sales.map(({ customerId, productId }) => at.api(`/customers/${customerId}/access/${productId}`))
      return { lists: pages.map(({ body }) => body.data), access: (await Promise.all(access)).map(({ body }) => body) }
    }
    const places = [
      { from: directory.path, to: database, name: 'postgres', settings: { QUITTANCE_DATABASE_URL: database } },
      { from: database, to: directory.path, name: 'sqlite', settings: {} },
      { from: directory.path, to: database, name: 'postgres-again', settings: { QUITTANCE_DATABASE_URL: database } },
    ]
    let at = first
    for (const { from, to, name, settings } of places) {
      const before = await seen(at)
      expect(before.access.map(({ has_access }) => has_access)).toEqual(sales.map(() => true))
      await at.close()
      service = null
      expect(await copy(from, to)).toMatchObject({ ok: true, problems: [], beside: 'in_place' })
      at = await on(settings)
      const after = await seen(at)
      expect(lasting(after)).toEqual(lasting(before))
      // Her name and address are sealed by a key of the vault.
      expect((await at.api(`/customers/${customer}`)).body.data).toMatchObject(ada)
      expect(lasting((await keyed(at)).body)).toEqual(lasting(answered))
      for (const sale of sales) await drive(at, sale, keypair)
      const next = newSale(`sold-on-${name}`, 'rpc')
      await drive(at, next, keypair)
      sales.push(next)
    }
    const end = await seen(at)
    expect(end.access.map(({ has_access }) => has_access)).toEqual([true, true, true, true])
  })
})
