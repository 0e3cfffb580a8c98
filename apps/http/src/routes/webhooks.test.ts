import { problem } from '../testing/client.ts'
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
  it('has every documented field, and shows its secret when it is made', async () => {
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

  it('is one, with one secret, for a key', async () => {
    const request = { body: orders, headers: { 'idempotency-key': 'endpoint' } }
    const first = await service.api('/webhooks', request)
    expect((await service.api('/webhooks', request)).body).toEqual(first.body)
  })

  it('may be told of the events that the interface names', async () => {
    const events = ['payment.confirmed', 'subscription.canceled']
    expect((await create({ ...orders, events, description: 'Two' })).body.data).toMatchObject({
      events,
      description: 'Two',
    })
  })

  it('may be on this machine in the sandbox', async () => {
    expect((await create({ ...orders, url: 'http://127.0.0.1:9/' })).status).toBe(200)
  })

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['an address that is not https', { url: 'http://shop.example/' }, 'url'],
    ['what is no address', { url: 'shop.example' }, 'url'],
    ['an address with a password in it', { url: 'https://a:b@shop.example/' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['events that are no list', { events: '*' }, 'events'],
    ['an event that there is not', { events: ['*', 'payment.*'] }, 'events'],
    ['an event that is no text', { events: [7] }, 'events'],
  ])('is refused with %s', async (_, changed, param) => {
    expect(await create({ ...orders, ...changed })).toMatchObject({
      status: 400,
      body: problem('invalid_request', param),
    })
  })

  it('changes in what is sent', async () => {
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

  it('gets another secret when it is asked to', async () => {
    const { secret, ...made } = (await create(orders)).body.data
    const rotated = await service.api(`/webhooks/${made.id}/rotate_secret`, { method: 'POST' })
    expect(rotated.body.data).toEqual({ ...made, secret: expect.stringMatching(/^whsec_/), updated_at: isoTime })
    expect(rotated.body.data.secret).not.toBe(secret)
  })

  it('has no deliveries yet', async () => {
    const { id } = (await create(orders)).body.data
    const url = `/webhooks/${id}/deliveries`
    expect((await service.api(url)).body).toEqual({ data: { object: 'list', data: [], has_more: false, url } })
    expect((await service.api(`${url}?starting_after=x`)).status).toBe(400)
  })

  it('is deleted, and then not found', async () => {
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
    ] as const) {
      expect((await service.api(at, { method, ...(method === 'PUT' ? { body: {} } : {}) })).status).toBe(404)
    }
  })
})
