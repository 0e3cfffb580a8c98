import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { eventually } from '@quittance/http/testing/eventually'
import { type Service, startService } from '@quittance/http/testing/service'
import { POST } from './webhook-route.ts'

/** A delivery as it came. */
type Delivery = { readonly body: string; readonly headers: Headers }

let service: Service
const received: Array<Delivery> = []
const shop = createServer(async (request, response) => {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  received.push({ body: await text(request), headers: new Headers(headers) })
  response.end()
})

const post = ({ body, headers }: Delivery): Promise<Response> =>
  POST(new Request('https://shop.example/webhooks/quittance', { method: 'POST', body, headers }))

describe('the example of a route handler of Next.js', () => {
  let delivery: Delivery
  beforeAll(async () => {
    service = await startService()
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    const address = shop.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}/`
    const endpoint = { name: 'Shop', url, events: ['payment.confirmed'] }
    process.env.QUITTANCE_WEBHOOK_SECRET = (await service.api('/webhooks', { body: endpoint })).body.data.secret
    const sale = { amount: 5, currency_code: 'XLM', metadata: { order: '7' } }
    const checkout = (await service.api('/checkout?type=direct', { body: sale })).body.data
    await service.api('/sandbox/pay', { body: { checkout_id: checkout.id } })
    await eventually(
      async () => received.length,
      (count) => count > 0,
    )
    const [first] = received
    if (first === undefined) throw new Error('nothing was delivered')
    delivery = first
  })
  afterAll(async () => {
    delete process.env.QUITTANCE_WEBHOOK_SECRET
    shop.closeAllConnections()
    shop.close()
    await service.close()
  })

  it('takes a delivery as it came, and acts on it', async () => {
    const { log } = console
    const said: Array<unknown> = []
    console.log = (...words) => void said.push(words)
    try {
      expect((await post(delivery)).status).toBe(204)
    } finally {
      console.log = log
    }
    expect(said).toEqual([['paid', '7']])
  })

  it.each<[string, (delivery: Delivery) => Delivery]>([
    [
      'was parsed and written anew',
      ({ body, headers }) => ({ body: JSON.stringify(JSON.parse(body), null, 2), headers }),
    ],
    ['has another order of keys', ({ body, headers }) => ({ body: reversed(body), headers })],
    ['has another amount', ({ body, headers }) => ({ body: body.replace('"5 XLM"', '"9 XLM"'), headers })],
    [
      'has the id of another event',
      ({ body, headers }) => ({ body, headers: changed(headers, 'webhook-id', 'evt_1') }),
    ],
    ['has no signature', ({ body }) => ({ body, headers: new Headers() })],
    [
      'is older than five minutes',
      ({ body, headers }) => {
        const old = Number(headers.get('webhook-timestamp')) - 301
        return { body, headers: changed(headers, 'webhook-timestamp', String(old)) }
      },
    ],
  ])('refuses a delivery that %s', async (_, change) => {
    const sent = change(delivery)
    expect([sent.body, [...sent.headers]]).not.toEqual([delivery.body, [...delivery.headers]])
    const answer = await post(sent)
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'not signed by Quittance' }])
  })
})

const reversed = (body: string): string =>
  JSON.stringify(Object.fromEntries(Object.entries<unknown>(JSON.parse(body)).reverse()))

const changed = (headers: Headers, name: string, value: string): Headers => {
  const copy = new Headers(headers)
  copy.set(name, value)
  return copy
}
