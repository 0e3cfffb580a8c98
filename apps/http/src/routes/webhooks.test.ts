import { createServer } from 'node:http'
import { Webhook } from 'svix'
import { problem } from '../testing/client.ts'
import { eventually } from '../testing/eventually.ts'
import { openOperator } from '../testing/operator.ts'
import { type Service, startService } from '../testing/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const orders = { name: 'Orders', url: 'https://shop.example/hooks', events: ['payment.confirmed', 'subscription.*'] }
const create = (body: object) => service.api('/webhooks', { body })
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('a webhook endpoint', () => {
  it('returns an endpoint with every documented field, and shows its secret at its creation', async () => {
    const answer = await create(orders)
    const { secret, ...shown } = answer.body.data
    expect(shown).toEqual({
      ...orders,
      id: expect.stringMatching(/^wh_[0-9A-Za-z]{22}$/),
      object: 'webhook',
      is_disabled: false,
      description: null,
      environment: 'testnet',
      created_at: isoTime,
      updated_at: isoTime,
    })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await service.api(`/webhooks/${shown.id}`)).body).toEqual({ data: shown })
    expect((await service.api('/webhooks?limit=1')).body.data).toMatchObject({ data: [shown], url: '/webhooks' })
  })

  it('creates an endpoint once with one secret under a key', async () => {
    const request = { body: orders, headers: { 'idempotency-key': 'endpoint' } }
    const first = await service.api('/webhooks', request)
    expect((await service.api('/webhooks', request)).body).toEqual(first.body)
  })

  it('accepts an endpoint for each event that the interface names', async () => {
    const events = ['payment.confirmed', 'subscription.canceled']
    expect((await create({ ...orders, events, description: 'Two' })).body.data).toMatchObject({
      events,
      description: 'Two',
    })
  })

  it('refuses the seventeenth endpoint of a merchant', async () => {
    const operator = await openOperator(service.dataDir)
    const { secret } = await operator.createMerchant('Another merchant')
    await operator.close()
    const request = { body: orders, headers: { 'x-api-key': secret } }
    for (let n = 0; n < 16; n++) expect((await service.anyone('/webhooks', request)).status).toBe(200)
    expect(await service.anyone('/webhooks', request)).toMatchObject({
      status: 409,
      body: problem('too_many_endpoints'),
    })
  })

  it('accepts an endpoint on this machine in the sandbox', async () => {
    expect((await create({ ...orders, url: 'http://127.0.0.1:9/' })).status).toBe(200)
  })

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['an address that is not https', { url: 'http://shop.example/' }, 'url'],
    ['what is no address', { url: 'shop.example' }, 'url'],
    ['an address with a password in it', { url: 'https://a:b@shop.example/' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['events that are no list', { events: '*' }, 'events'],
    ['an unknown event type', { events: ['*', 'payment.*'] }, 'events'],
    ['an event that is no text', { events: [7] }, 'events'],
  ])('refuses an endpoint with %s', async (_, changed, param) => {
    expect(await create({ ...orders, ...changed })).toMatchObject({
      status: 400,
      body: problem('invalid_request', param),
    })
  })

  it('changes the given fields of an endpoint', async () => {
    const { secret: _, ...made } = (await create(orders)).body.data
    const path = `/webhooks/${made.id}`
    const put = (body: object) => service.api(path, { method: 'PUT', body })
    const changed = { is_disabled: true, events: ['*'], description: 'All' }
    const renamed = { name: 'Money', url: 'https://shop.example/money' }
    const { body } = await put(changed)
    expect(body.data).toEqual({ ...made, ...changed, updated_at: isoTime })
    expect((await put(renamed)).body.data).toEqual({ ...body.data, ...renamed, updated_at: isoTime })
    expect((await put({ description: null, is_disabled: false })).body.data).toMatchObject({
      description: null,
      is_disabled: false,
      events: ['*'],
    })
    expect(await put({ url: 'http://shop.example/' })).toMatchObject({
      status: 400,
      body: problem('invalid_request', 'url'),
    })
    expect(await put({ is_disabled: 'yes' })).toMatchObject({
      status: 400,
      body: problem('invalid_request', 'is_disabled'),
    })
  })

  it('gives an endpoint a new secret on request', async () => {
    const { secret, ...made } = (await create(orders)).body.data
    const rotated = await service.api(`/webhooks/${made.id}/rotate_secret`, { method: 'POST' })
    expect(rotated.body.data).toEqual({ ...made, secret: expect.stringMatching(/^whsec_/), updated_at: isoTime })
    expect(rotated.body.data.secret).not.toBe(secret)
  })

  it('deletes an endpoint, and then does not find it', async () => {
    const { id } = (await create(orders)).body.data
    const path = `/webhooks/${id}`
    expect((await service.api(path, { method: 'DELETE' })).body).toEqual({
      data: { id, object: 'webhook', deleted: true },
    })
    for (const [method, at] of [
      ['GET', path],
      ['PUT', path],
      ['POST', `${path}/rotate_secret`],
      ['GET', `${path}/deliveries`],
      ['POST', `${path}/test`],
    ] as const) {
      expect((await service.api(at, { method, ...(method === 'PUT' ? { body: {} } : {}) })).status).toBe(404)
    }
  })
})

describe('a delivery', () => {
  type Received = { readonly id: string; readonly text: string; readonly headers: Record<string, string> }
  let received: Array<Received>
  let status: number
  let words: string
  const shop = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request
      .on('data', (chunk) => chunks.push(chunk))
      .on('end', () => {
        const names = ['id', 'timestamp', 'signature'].map((name) => `webhook-${name}`)
        const headers = Object.fromEntries(names.map((name) => [name, String(request.headers[name])]))
        received.push({ id: headers['webhook-id'] ?? '', text: Buffer.concat(chunks).toString(), headers })
        response.writeHead(status).end(words)
      })
  })
  let endpoint: { readonly id: string; readonly secret: string }
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 3 }
  const deliveriesOf = async (query = '') =>
    (await service.api(`/webhooks/${endpoint.id}/deliveries${query}`)).body.data
  type Shown = { readonly id: string; readonly event_id: string; readonly status: string; readonly attempts: number }
  const lastOnes = (isReached: (deliveries: ReadonlyArray<Shown>) => boolean): Promise<ReadonlyArray<Shown>> =>
    eventually(async () => (await deliveriesOf()).data, isReached)
  const newest = async (isReached: (delivery: Shown) => boolean): Promise<Shown> => {
    const [first] = await lastOnes(([one]) => one !== undefined && isReached(one))
    if (first === undefined) throw new Error('nothing is delivered')
    return first
  }
  beforeAll(async () => {
    await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening))
  })
  beforeEach(async () => {
    received = []
    status = 200
    words = 'thanks'
    const address = shop.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    endpoint = (await create({ ...orders, url: `http://127.0.0.1:${port}/`, events: ['product.created'] })).body.data
  })
  afterEach(() => service.api(`/webhooks/${endpoint.id}`, { method: 'DELETE' }))
  afterAll(async () => {
    shop.closeAllConnections()
    await new Promise((closed) => shop.close(closed))
  })

  it('lists a delivery with its outcome and the event as GET /events has it', async () => {
    const product = (await service.api('/product', { body: book })).body.data
    const delivery = await newest(({ status }) => status === 'delivered')
    const [event] = (await service.api(`/events?resource_id=${product.id}`)).body.data.data
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_[0-9A-Za-z]{22}$/),
      object: 'webhook_delivery',
      webhook_id: endpoint.id,
      event_id: event.id,
      event_type: 'product.created',
      status: 'delivered',
      attempts: 1,
      first_attempt_at: isoTime,
      last_attempt_at: isoTime,
      next_attempt_at: null,
      response_status: 200,
      response_body: 'thanks',
      failure: null,
      duration_ms: expect.any(Number),
      environment: 'testnet',
      created_at: isoTime,
    })
    expect(received.map(({ text }) => JSON.parse(text))).toEqual([event])
    for (const { text, headers } of received)
      expect(() => new Webhook(endpoint.secret).verify(text, headers)).not.toThrow()
  })

  it('shows a failed delivery with the first KiB of the response and its next attempt', async () => {
    status = 500
    words = 'x'.repeat(5_000)
    await service.api('/product', { body: book })
    const delivery = await newest(({ attempts }) => attempts === 1)
    expect(delivery).toMatchObject({
      status: 'pending',
      response_status: 500,
      response_body: 'x'.repeat(1_024),
      next_attempt_at: isoTime,
    })
  })

  it('repeats a delivery on request under the same id', async () => {
    await service.api('/product', { body: book })
    const first = await newest(({ status }) => status === 'delivered')
    const path = `/webhooks/${endpoint.id}/deliveries/${first.id}/redeliver`
    const request = { method: 'POST', headers: { 'idempotency-key': `again ${endpoint.id}` } }
    const answer = await service.api(path, request)
    expect(answer.body.data).toMatchObject({ event_id: first.event_id, status: 'pending', attempts: 0 })
    const all = await lastOnes((found) => found.length === 2 && found.every((each) => each.status === 'delivered'))
    expect(all.map(({ event_id }) => event_id)).toEqual([first.event_id, first.event_id])
    expect((await service.api(path, request)).body).toEqual(answer.body)
    expect(received.map(({ id }) => id)).toEqual([first.event_id, first.event_id])
  })

  it('finds a delivery only under its endpoint', async () => {
    const other = (await create(orders)).body.data
    const { id } = (await service.api(`/webhooks/${endpoint.id}/test`, { method: 'POST' })).body.data
    const path = `/webhooks/${other.id}/deliveries/${id}/redeliver`
    expect(await service.api(path, { method: 'POST' })).toMatchObject({ status: 404, body: problem('not_found') })
  })

  it('sends a test event in the usual shape', async () => {
    const answer = await service.api(`/webhooks/${endpoint.id}/test`, { method: 'POST' })
    expect(answer.body.data).toMatchObject({ event_type: 'webhook.test', status: 'pending' })
    await newest(({ status }) => status === 'delivered')
    const shown = (await service.api(`/webhooks/${endpoint.id}`)).body.data
    expect(received.map(({ text }) => JSON.parse(text))).toEqual([
      {
        id: answer.body.data.event_id,
        type: 'webhook.test',
        timestamp: isoTime,
        api_version: expect.any(String),
        environment: 'testnet',
        resource_id: endpoint.id,
        sequence: 0,
        data: shown,
      },
    ])
  })

  it('lists deliveries page by page, newest first', async () => {
    const ids: Array<string> = []
    for (let n = 0; n < 3; n++)
      ids.unshift((await service.api(`/webhooks/${endpoint.id}/test`, { method: 'POST' })).body.data.id)
    ids.sort().reverse()
    const idsIn = ({ data }: { data: ReadonlyArray<{ id: string }> }) => data.map(({ id }) => id)
    expect(await deliveriesOf('?limit=2')).toMatchObject({ has_more: true, url: `/webhooks/${endpoint.id}/deliveries` })
    expect(idsIn(await deliveriesOf('?limit=2'))).toEqual(ids.slice(0, 2))
    expect(idsIn(await deliveriesOf(`?starting_after=${ids[1]}`))).toEqual(ids.slice(2))
    const before = await deliveriesOf(`?limit=1&ending_before=${ids[2]}`)
    expect([idsIn(before), before.has_more]).toEqual([ids.slice(1, 2), true])
    expect(idsIn(await deliveriesOf('?created[lt]=2020-01-01T00:00:00.000Z'))).toEqual([])
    expect((await service.api(`/webhooks/${endpoint.id}/deliveries?starting_after=x`)).status).toBe(400)
  })
})
