import { readFileSync } from 'node:fs'
import type { Manner, Market } from '@quittance/ledger/testing/markets'
import { type Markets, startMarkets } from './testing/markets.ts'
import { readinessAt } from './testing/readiness.ts'
import { type Service, startService, temporaryDirectory } from './testing/service.ts'

const minute = 60
const hour = 60 * minute
/** Longer than any document lives, and than a market is left alone. */
const aWhile = 31
type Row = Readonly<Record<'sold' | 'quoted' | 'issued' | 'renewed' | 'ready', string>>

describe('payers and merchants while markets misbehave', () => {
  const directory = temporaryDirectory()
  let markets: Markets
  let service: Service
  const products = new Map<string, string>()
  const table: Array<string> = []

  const productIn = async (asset: string): Promise<string> => {
    const assetId = service.facts.assets.find(({ code }) => code === asset)?.asset_id
    const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 10, asset_id: assetId }
    return (await service.api('/product', { body: book })).body.data.id
  }
  beforeAll(async () => {
    markets = await startMarkets(directory.path)
    service = await startService({ QUITTANCE_RATES: markets.file })
    for (const asset of ['XLM', 'USDC']) products.set(asset, await productIn(asset))
  })
  afterAll(async () => {
    await service.close()
    await markets.close()
    directory.remove()
  })

  const pass = async (seconds: number): Promise<void> => {
    const { now } = (await service.api('/sandbox/advance', { body: { seconds } })).body.data
    const ahead = Date.parse(now) - Date.now()
    markets.beliefs.nowMs = () => Date.now() + ahead
  }
  const sell = async (asset: string) => {
    const { status, body } = await service.api('/checkout?type=product', { body: { product_id: products.get(asset) } })
    return { status, id: String(body.data.id) }
  }
  const quoteOf = async (id: string): Promise<string> => {
    const { status, body } = await service.anyone(`/pay/${id}/quote`)
    return status === 200 ? `${body.data.amount}` : `${status} ${body.code}`
  }
  const troubles = async (): Promise<string> => {
    const { status, body } = await readinessAt(service.url)
    const named = body.rates.troubles.map(({ subject, reason }: Record<string, string>) => `${subject}: ${reason}`)
    return [`${status} ${body.rates.status}`, ...named.sort()].join(', ')
  }

  /** What is seen from the moment on at which `misbehave` is called, by who has a quote and by who has none. */
  const seen = async (asset: string, misbehave: () => void): Promise<Row> => {
    markets.areHonest()
    await pass(aWhile)
    for (const each of products.keys()) await quoteOf((await sell(each)).id)
    expect(await troubles()).toBe('200 ok')
    const issued = await sell(asset)
    const before = await quoteOf(issued.id)
    misbehave()
    await pass(aWhile)
    const fresh = await sell(asset)
    const quoted = await quoteOf(fresh.id)
    const page = await service.anyone(`/pay/${fresh.id}`)
    const stands = (await quoteOf(issued.id)) === before
    const ready = await troubles()
    await pass((asset === 'XLM' ? 5 : 15) * minute)
    return {
      sold: `${fresh.status}, page ${page.status}`,
      quoted,
      issued: stands ? 'stands' : 'is lost',
      renewed: await quoteOf(issued.id),
      ready,
    }
  }
  const line = (what: string, { sold, quoted, issued, renewed, ready }: Row): void => {
    table.push(`| ${[what, sold, quoted, issued, renewed, ready].join(' | ')} |`)
  }

  const lies: ReadonlyArray<[string, (honest: () => string) => Manner]> = [
    ['says 0', (honest) => honest().replace(/0\.\d+/, '0')],
    ['says a negative rate', (honest) => honest().replace(/0\.\d+/, '-$&')],
    ['says something four days old', (honest) => markets.daysAgo(4, honest)()],
    ['is an eighth too high', (honest) => honest().replace(/0\.\d+/, (rate) => `${(Number(rate) * 1.125).toFixed(5)}`)],
  ]
  const failures: ReadonlyArray<[string, (honest: () => string) => Manner]> = [
    ['says something of tomorrow', (honest) => markets.daysAgo(-1, honest)()],
    ['answers 200 with an error', () => '{"result":"error","error-type":"quota-reached"}'],
    ['answers 500', () => (response) => void response.writeHead(500).end()],
    ['sends elsewhere', () => (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1' }).end()],
    ['cuts its answer off', (honest) => honest().slice(0, -9)],
    ['is slow', () => () => undefined],
    ['answers with 3 MiB', (honest) => honest() + ' '.repeat(3 * 1024 * 1024)],
  ]
  const unavailable = '503 rate_unavailable'

  it.each(lies)('gives no quote while one of two currency tables %s', async (what, manner) => {
    const row = await seen('XLM', () => markets.table.behaves(manner(markets.documents.table)))
    line(`one of two tables ${what}`, row)
    expect(row).toEqual({
      sold: '200, page 200',
      quoted: unavailable,
      issued: 'stands',
      renewed: unavailable,
      ready: expect.stringMatching(/^200 degraded, .*USD\/EUR of table: \w+, USD\/EUR: TooFewSources$/),
    })
  })
  it.each(failures)('quotes the last rates of a currency table that %s, for a limited time', async (what, manner) => {
    const row = await seen('XLM', () => markets.table.behaves(manner(markets.documents.table)))
    line(`one of two tables ${what}`, row)
    expect(row).toEqual({
      sold: '200, page 200',
      quoted: '50',
      issued: 'stands',
      renewed: '50',
      ready: expect.stringMatching(/^200 degraded, table: \w+$/),
    })
    await pass(5 * 24 * hour)
    expect(await quoteOf((await sell('XLM')).id)).toBe(unavailable)
  })
  it.each([...lies, ...failures])(
    'gives quotes while one of three markets of an asset %s, and warns the operator',
    async (what, manner) => {
      const row = await seen('XLM', () => markets.one.behaves(manner(markets.documents.xlm), '/xlm'))
      line(`one of three markets ${what}`, row)
      expect(row).toEqual({
        sold: '200, page 200',
        quoted: '50',
        issued: 'stands',
        renewed: '50',
        ready: expect.stringMatching(/^200 degraded, (XLM\/USD of one|one \(xlm\)): \w+$/),
      })
    },
  )
  it('quotes the last rates for a limited time while all markets are down, and keeps products priced in an asset on sale', async () => {
    const down = ({ behaves }: Market) => {
      for (const path of ['/xlm', '/usdc', undefined]) behaves((response) => void response.socket?.destroy(), path)
    }
    const row = await seen('XLM', () => markets.all.forEach(down))
    line('all are down', row)
    expect(row).toMatchObject({ sold: '200, page 200', quoted: '50', issued: 'stands', renewed: unavailable })
    const direct = await service.api('/checkout?type=direct', { body: { amount: 5, currency_code: 'XLM' } })
    expect(await quoteOf(direct.body.data.id)).toBe('5')
  })
  it('gives no quote in an asset whose peg breaks, but quotes in others', async () => {
    const row = await seen('USDC', () => {
      markets.beliefs.usdc = '0.985'
    })
    line('all say that USDC is 0.985 USD', row)
    expect(row).toMatchObject({ quoted: unavailable, issued: 'stands', renewed: unavailable })
    expect(row.ready).toBe('200 degraded, USDC/USD: PegBroken')
    expect(await quoteOf((await sell('XLM')).id)).toBe('50')
    markets.beliefs.usdc = '1'
  })
  it('gives no quote after a jump until two observations, a minute apart, confirm it', async () => {
    const row = await seen('XLM', () => {
      markets.beliefs.xlm = '0.2'
    })
    line('all say that XLM fell by a fifth', row)
    expect(row).toMatchObject({ quoted: unavailable, issued: 'stands', renewed: unavailable })
    expect(row.ready).toBe('200 degraded, XLM/USD: JumpUnconfirmed')
    await pass(minute)
    expect(await quoteOf((await sell('XLM')).id)).toBe('62.5')
    expect(await quoteOf((await sell('USDC')).id)).toBe('12.5')
    expect(await troubles()).toBe('200 ok')
  })

  it('the guide shows the tested outcome of each market failure', () => {
    expect(readFileSync('docs/rates.md', 'utf8')).toContain(table.join('\n'))
  })
})
