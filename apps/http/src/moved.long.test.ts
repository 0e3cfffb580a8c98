import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Peer, startPeer } from '@quittance/event-store/testing/peer'
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
const lists = ['/products', '/customers', '/checkout', '/payments']

/** What an answer says apart from where the service listens, and when its payments were looked up. */
const lasting = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (name, value) =>
      name === 'synced_at' || name === 'request_id' ? undefined : value,
    ).replace(/127\.0\.0\.1:\d+/g, 'host'),
  )

describe('a platform that moves to a remote log, and back', () => {
  const directory = temporaryDirectory()
  let peer: Peer
  let service: Awaited<ReturnType<typeof open>> | null = null

  const open = async (eventStore: string) => {
    const config = configFrom({
      QUITTANCE_PORT: '0',
      QUITTANCE_DATA_DIR: directory.path,
      QUITTANCE_EVENT_STORE: eventStore,
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
  const on = async (eventStore: string) => {
    await service?.close()
    service = await open(eventStore)
    return service
  }

  beforeAll(async () => {
    peer = await startPeer({ path: ':memory:', port: 0 })
  })
  afterAll(async () => {
    await service?.close()
    await peer.stop()
    directory.remove()
  })

  it('a moved platform keeps access, lists, idempotent answers and open checkouts, and notices the next payment', async () => {
    const first = await on('sqlite')
    const { facts } = first
    const usdc = facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
    const { keypair } = await fundedWallet(facts, [usdc])
    const key = { 'idempotency-key': 'before the move' }
    const keyed = (at: typeof first) =>
      at.api('/checkout?type=direct', { body: { amount: 7, currency_code: 'EUR' }, headers: key })
    const answered = (await keyed(first)).body
    const sales: Array<Sale> = [newSale('sold-embedded', 'rpc')]
    for (const sale of sales) await drive(first, sale, keypair)

    const seen = async (at: typeof first) => {
      await ledgerIsIngested(at)
      const pages = await Promise.all(lists.map((list) => at.api(`${list}?limit=100`)))
      const access = sales.map(({ customerId, productId }) => at.api(`/customers/${customerId}/access/${productId}`))
      return { lists: pages.map(({ body }) => body.data), access: (await Promise.all(access)).map(({ body }) => body) }
    }
    const places = [
      { from: directory.path, to: peer.connectionString, setting: peer.connectionString },
      { from: peer.connectionString, to: directory.path, setting: 'sqlite' },
    ]
    let at = first
    for (const { from, to, setting } of places) {
      const before = await seen(at)
      expect(before.access.map(({ has_access }) => has_access)).toEqual(sales.map(() => true))
      await at.close()
      service = null
      expect(await copy(from, to)).toMatchObject({ ok: true, problems: [], beside: 'at_first_start' })
      at = await on(setting)
      const after = await seen(at)
      expect(lasting(after)).toEqual(lasting(before))
      expect(lasting((await keyed(at)).body)).toEqual(lasting(answered))
      for (const sale of sales) await drive(at, sale, keypair)
      const next = newSale(`sold on ${setting}`.replace(/\W+/g, '-'), 'rpc')
      await drive(at, next, keypair)
      sales.push(next)
    }
    const end = await seen(at)
    expect(end.access.map(({ has_access }) => has_access)).toEqual([true, true, true])
  })
})
