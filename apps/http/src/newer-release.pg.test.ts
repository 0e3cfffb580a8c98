import type { NewEvent } from '@quittance/domain'
import { right } from '@quittance/domain/testing'
import { postgresEventStore } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { configFrom } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { eventually } from './testing/eventually.ts'
import { readinessAt } from './testing/readiness.ts'
import { serve } from './testing/serve.ts'
import { openService, type Service, temporaryDirectory } from './testing/service.ts'

const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }

describe('a service on PostgreSQL', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let cluster: Cluster
  let service: Service

  const settings = () => ({ QUITTANCE_DATABASE_URL: cluster.connectionString })
  const configured = () => {
    const config = configFrom({ QUITTANCE_PORT: '0', QUITTANCE_DATA_DIR: directory.path, ...settings() })
    if (E.isLeft(config)) throw new Error(JSON.stringify(config.left))
    return config.right
  }
  const start = () => openService(directory.path, settings())
  const readiness = async () => {
    const { status, body } = await readinessAt(service.url)
    return { http: status, status: body.status, release: body.release }
  }
  const isReady = { http: 200, status: 'ready', release: { status: 'current', reason: null } }
  const sell = () => service.api('/product', { body: book })
  const heldRoles = () =>
    cluster.sql('SELECT name FROM quittance.worker_roles WHERE until > extract(epoch FROM clock_timestamp()) * 1000')
  const rows = async () => Number((await cluster.sql('SELECT count(*) AS n FROM quittance.events'))[0]?.n)

  beforeEach(async () => {
    directory = temporaryDirectory()
    cluster = await startCluster()
    service = await start()
    await eventually(readiness, ({ http }) => http === 200)
  })
  afterEach(async () => {
    await service.close()
    await cluster.remove()
    directory.remove()
  })

  /** The service shows it, answers 503, writes nothing and leaves its role to others; no other process starts. */
  const standsBack = async (reason: string, refusal: string) => {
    expect(await eventually(readiness, ({ http }) => http === 503)).toEqual({
      http: 503,
      status: 'not_ready',
      release: { status: 'left_behind', reason },
    })
    const before = await rows()
    expect((await service.anyone('/ready')).status).toBe(503)
    const answers = [await sell(), await service.api('/products'), await service.api('/customers')]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [503, 'store_unavailable']),
    )
    expect((await fetch(service.metricsUrl)).status).toBe(200)
    expect(await serve(configured())).toEqual(
      E.left([{ variable: 'QUITTANCE_DATABASE_URL', expected: expect.stringContaining(refusal) }]),
    )
    await eventually(heldRoles, ({ length }) => length === 0)
    expect(await rows()).toBe(before)
  }

  it('shows at /ready and in its metrics that the server is away, and that it is back', async () => {
    await cluster.crash()
    expect(
      await eventually(
        () => readinessAt(service.url),
        ({ status }) => status !== 200,
      ),
    ).toEqual({
      status: 503,
      body: expect.objectContaining({
        ...{ status: 'not_ready', store: null, read_models: null, release: { status: 'current', reason: null } },
        ...{ books: null, setbacks: null, settlement: null, contracts: null },
      }),
    })
    const metrics = await fetch(service.metricsUrl)
    expect({ status: metrics.status, text: await metrics.text() }).toEqual({
      status: 200,
      text: expect.stringContaining('quittance_log_readable 0'),
    })
    await cluster.start()
    expect(await eventually(readiness, ({ http }) => http === 200)).toEqual(isReady)
  })

  it('goes on after a migration of a newer release that only adds something', async () => {
    await cluster.sql(`ALTER TABLE quittance.schema_version ADD COLUMN oldest bigint;
      ALTER TABLE quittance.events ADD COLUMN note text;
      ALTER TABLE quittance.idempotency_claims ADD COLUMN note text;
      INSERT INTO quittance.schema_version VALUES (2, 1)`)
    expect((await sell()).status).toBe(200)
    expect(await readiness()).toEqual(isReady)
    await service.close()
    service = await start()
    expect((await sell()).status).toBe(200)
  })

  it('stands back from tables of a newer release that it does not know', async () => {
    await cluster.sql('INSERT INTO quittance.schema_version VALUES (2)')
    const versions = 'The event log has schema version 2; this release knows versions up to 1. Use the newer release.'
    await standsBack(`A newer release has written what this one does not know: ${versions}`, versions)
  })

  it('stands back from an event of a newer release that its read models do not know', async () => {
    const { id } = (await sell()).body.data
    const stream = `product-${id}`
    const log = await postgresEventStore({
      connectionString: cluster.connectionString,
      clock: Date.now,
      projections: [],
    })
    const { events, head } = right(await log.readStream(stream)())
    const [first] = events
    if (first === undefined) throw new Error('a product has events')
    const praised: NewEvent = {
      id: 'evt_praised',
      type: 'ProductPraised',
      schemaVersion: 1,
      data: { stars: 5 },
      context: { ...first.metadata, commandId: 'praise' },
    }
    right(await log.append(stream, head, [praised])())
    await log.close()
    const said = `ProductPraised/1 at ${stream}@1`
    await standsBack(expect.stringContaining(said), said)
  })
})
