import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { openDatabase } from '@quittance/event-store/sqlite'
import { configFrom } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { serve } from '../testing/serve.ts'
import { type Service, startService, temporaryDirectory } from '../testing/service.ts'

describe('the metrics of a service', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  const read = async (path = '') => fetch(new URL(path, service.metricsUrl))
  const countOf = (text: string, labels: string): string | undefined =>
    text
      .split('\n')
      .find((line) => line.startsWith(`quittance_http_request_duration_seconds_count{${labels}}`))
      ?.split(' ')[1]

  it('counts and times requests by method, route and status, without ids or texts of strangers', async () => {
    const { id } = (await service.api('/customers', { body: { email: 'ada@example.com', name: 'Ada' } })).body.data
    await service.api(`/customers/${id}`)
    await service.api(`/customers/${id}`)
    await service.anyone(`/customers/${id}`)
    await service.anyone('/nowhere/ada@example.com')
    const response = await read()
    const text = await response.text()
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(countOf(text, 'method="POST",route="/customers",status="200"')).toBe('1')
    expect(countOf(text, 'method="GET",route="/customers/:id",status="200"')).toBe('2')
    expect(countOf(text, 'method="GET",route="/customers/:id",status="401"')).toBe('1')
    expect(countOf(text, 'method="GET",route="none",status="404"')).toBe('1')
    expect(text).toMatch(/^quittance_reconciliation_lag_ledgers\{environment="testnet"\} \d+$/m)
    expect(text).toMatch(/^quittance_clock_ahead_seconds\{environment="testnet"\} [\d.]+$/m)
    expect(text).toMatch(/^quittance_movements_named_total\{environment="testnet",name="payment"\} 0$/m)
    expect(text).toContain('quittance_unexplained_changes{environment="testnet"} 0')
    expect(text).toContain('quittance_log_rolled_back 0')
    expect(text).toContain('quittance_webhook_delay_seconds_count{environment="mainnet"} 0')
    expect(text).toContain('quittance_webhook_wait_seconds{environment="testnet"} 0')
    expect(text).toContain('# TYPE quittance_invariant_violations gauge')
    expect(text).toContain('# TYPE quittance_lost_revenue gauge')
    expect(text).toContain('process_resident_memory_bytes')
    expect(text).toContain('quittance_exceptions_waiting{environment="testnet",age="over_3d"} 0')
    expect(text).not.toContain(id)
    expect(text).not.toContain('ada@')
  })

  it('sums lost revenue by currency', async () => {
    const isApart = existsSync(join(service.dataDir, 'read-models.db'))
    const file = join(service.dataDir, isApart ? 'read-models.db' : 'quittance.db')
    const database = openDatabase(file, { durability: 'full' })
    const insert = database.prepare(`INSERT INTO lost_revenue_1 (id, merchant_id, environment, status, revision, body)
      VALUES (?, 'mer', 'testnet', ?, 1, ?)`)
    for (const [id, currency, cents] of [
      ['sub_1', 'USD', 3_000],
      ['sub_2', 'USD', 1_050],
      ['sub_3', 'EUR', 900],
    ] as const)
      insert.run(id, currency, JSON.stringify({ currency, periods: 1, cents }))
    database.close()
    const lines = (await (await read()).text()).split('\n').filter((line) => line.startsWith('quittance_lost_revenue'))
    expect(lines).toEqual([
      'quittance_lost_revenue{environment="testnet",currency="EUR"} 9',
      'quittance_lost_revenue{environment="testnet",currency="USD"} 40.5',
    ])
  })

  it('serves metrics, and nothing else, on their own port', async () => {
    expect((await read('/health')).status).toBe(404)
    expect((await service.anyone('/metrics')).status).toBe(404)
  })

  it('serves metrics to this machine alone by default, and on the host of the service with a configured port', async () => {
    const named = { QUITTANCE_HOST: 'localhost' }
    for (const [environment, host] of [
      [named, '127.0.0.1'],
      [{ ...named, QUITTANCE_METRICS_PORT: '0' }, 'localhost'],
    ] as const) {
      const other = await startService(environment)
      const { hostname, port } = new URL(other.metricsUrl)
      expect({ hostname, isFree: Number(port) > 0 }).toEqual({ hostname: host, isFree: true })
      await other.close()
    }
  })
})

describe('a metrics port that is taken', () => {
  const directory = temporaryDirectory()
  let other: Server
  beforeAll(async () => {
    other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    other.close()
    directory.remove()
  })

  it('names the variable of a metrics port that is taken', async () => {
    const address = other.address()
    const taken = typeof address === 'object' ? String(address?.port) : ''
    const config = configFrom({
      QUITTANCE_PORT: '0',
      QUITTANCE_METRICS_PORT: taken,
      QUITTANCE_DATA_DIR: directory.path,
      QUITTANCE_LOG_LEVEL: 'silent',
    })
    if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
    expect(await serve(config.right)).toEqual(
      E.left([{ variable: 'QUITTANCE_METRICS_PORT', expected: 'a port that is free, or 0 for any' }]),
    )
  })
})
