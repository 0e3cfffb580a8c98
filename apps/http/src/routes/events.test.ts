import { problem } from '../testing/client.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

type Event = {
  readonly id: string
  readonly type: string
  readonly resource_id: string
  readonly sequence: number
  readonly data: Readonly<Record<string, unknown>>
}

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
}, 30_000)
afterAll(() => service.close())

const dataOf = async (...request: Parameters<Service['api']>) => (await service.api(...request)).body.data
const eventsOf = async (query = ''): Promise<ReadonlyArray<Event>> => (await dataOf(`/events?limit=100${query}`)).data
const about = (resourceId: string) => eventsOf(`&resource_id=${resourceId}`)
const typesOf = (events: ReadonlyArray<Event>) => events.map(({ type, sequence }) => `${sequence} ${type}`)

const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
const createProduct = (fields: object = {}) => dataOf('/product', { body: { ...book, ...fields } })
let people = 0
const createCustomer = () => dataOf('/customers', { body: { email: `reader-${people++}@example.com`, name: 'Ada' } })
const buy = async (product_id: string, customer_id: string) => {
  const sale = await openSale(service, { product_id, customer_id }, 'product')
  await wallet.pay(sale)
  return completed(service, sale.id)
}

describe('public events', () => {
  it('reports each event of a sale once, in the order of each resource, with its state at that time', async () => {
    const [product, customer] = [await createProduct(), await createCustomer()]
    const checkout = await buy(product.id, customer.id)
    const payment = await dataOf(`/payment/${checkout.payment_id}`)

    expect(await about(product.id)).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
        type: 'product.created',
        timestamp: product.created_at,
        api_version: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        environment: 'testnet',
        resource_id: product.id,
        sequence: 1,
        data: product,
      },
    ])
    const [created, ended, ...noMore] = await about(checkout.id)
    expect(noMore).toEqual([])
    expect(created).toMatchObject({ type: 'checkout.created', sequence: 1, data: { status: 'open', payment_id: null } })
    expect(ended).toMatchObject({ type: 'checkout.completed', sequence: 2, data: checkout })
    const paid = await about(payment.id)
    expect(typesOf(paid)).toEqual(['1 payment.pending', '2 payment.confirmed'])
    expect(paid[0]?.data).toMatchObject({ status: 'pending', confirmed_at: null })
    expect(paid[1]?.data).toEqual({ ...payment, synced_at: null })
    const access = { customer_id: customer.id, product_id: product.id }
    expect(await about(`${customer.id}/${product.id}`)).toMatchObject([
      { type: 'access.granted', sequence: 1, data: { ...access, grant: { payment_id: payment.id } } },
    ])
    const { wallets } = await dataOf(`/customers/${customer.id}`)
    expect(await about(wallets[0].id)).toMatchObject([
      { type: 'payment_method.created', sequence: 1, data: { ...wallets[0], customer_id: customer.id } },
    ])

    const all = await eventsOf()
    const place = (type: string, resource: string) =>
      all.findIndex((each) => each.type === type && each.resource_id === resource)
    const order = [
      place('product.created', product.id),
      place('customer.created', customer.id),
      place('checkout.created', checkout.id),
      place('payment.confirmed', payment.id),
      place('access.granted', `${customer.id}/${product.id}`),
      place('checkout.completed', checkout.id),
    ]
    expect(order).toEqual([...order].sort((one, other) => one - other))
    expect(order).not.toContain(-1)
  })

  it('contains exactly the previous values of changed fields', async () => {
    const product = await createProduct({ description: 'Old' })
    const updated = await dataOf(`/product/${product.id}`, { method: 'PUT', body: { description: 'New' } })
    const [, update] = await about(product.id)
    expect(update).toMatchObject({
      type: 'product.updated',
      data: updated,
      previous: { description: 'Old', updated_at: product.updated_at },
    })
    const fields = update === undefined ? [] : Object.keys(Object.getOwnPropertyDescriptor(update, 'previous')?.value)
    expect(fields.filter((field) => field !== 'updated_at')).toEqual(['description'])
    await service.api(`/product/${product.id}`, { method: 'DELETE' })
    expect(typesOf(await about(product.id))).toEqual(['1 product.created', '2 product.updated', '3 product.archived'])
  })

  it('reports grants and consumption of credits, and the end of access with the last unit', async () => {
    const product = await createProduct({ type: 'metered', unit: 'call', units_per_credit: 10, total_credits: 2 })
    const customer = await createCustomer()
    const { payment_id } = await buy(product.id, customer.id)
    const consume = (units: number) =>
      service.api(`/customers/${customer.id}/credits/${product.id}/consume`, { body: { units } })
    await consume(15)
    await consume(5)
    const told = await about(`${customer.id}/${product.id}`)
    expect(typesOf(told)).toEqual([
      '1 credits.granted',
      '2 access.granted',
      '3 credits.consumed',
      '4 credits.consumed',
      '5 credits.depleted',
      '6 access.revoked',
    ])
    expect(told.map(({ data }) => data)).toMatchObject([
      { balance: 2, units_remainder: 0, transaction: { type: 'granted', units: 20, payment_id } },
      { has_access: true, grant: { type: 'one_time', payment_id } },
      { balance: 0, units_remainder: 5, transaction: { type: 'consumed', units: 15 } },
      { balance: 0, units_remainder: 0, transaction: { type: 'consumed', units: 5 } },
      { balance: 0, units_remainder: 0, customer_id: customer.id, product_id: product.id },
      { has_access: false, grant: null },
    ])
  })

  it('reports a refund and the access that it ends', async () => {
    const [product, customer] = [await createProduct(), await createCustomer()]
    const { payment_id } = await buy(product.id, customer.id)
    const refund = await dataOf('/refunds', { body: { payment_id } })
    const two = async (resource: string): Promise<ReadonlyArray<Event>> => {
      const told = await about(resource)
      return told.length > 1 ? told : two(resource)
    }
    expect(typesOf(await two(refund.id))).toEqual(['1 refund.created', '2 refund.succeeded'])
    expect(typesOf(await about(payment_id))).toEqual(['1 payment.pending', '2 payment.confirmed'])
    const access = `${customer.id}/${product.id}`
    expect(typesOf(await two(access))).toEqual(['1 access.granted', '2 access.revoked'])
  })

  it('removes the personal data of erased customers from public events', async () => {
    const [product, customer] = [await createProduct(), await createCustomer()]
    await service.api(`/customers/${customer.id}`, { method: 'PUT', body: { name: 'Augusta' } })
    const { payment_id } = await buy(product.id, customer.id)
    const [before] = await about(customer.id)
    expect(before?.data).toMatchObject({ name: 'Ada', email: customer.email })
    await service.api(`/customers/${customer.id}`, { method: 'DELETE' })
    const nobody = { email: null, name: null, phone: null, image: null, metadata: {} }
    const told = await about(customer.id)
    expect(typesOf(told)).toEqual(['1 customer.created', '2 customer.updated', '3 customer.deleted'])
    expect(told.map(({ data }) => data)).toMatchObject([nobody, nobody, nobody])
    expect(told[0]?.id).toBe(before?.id)
    const [, confirmed] = await about(payment_id)
    expect(confirmed?.data).toMatchObject({ status: 'confirmed', billing_details: null })
    expect(JSON.stringify(await eventsOf())).not.toContain(customer.email)
  })

  it('reports that an endpoint is disabled', async () => {
    const hook = { name: 'A hook', url: 'https://shop.example/hook', events: ['*'] }
    const webhook = await dataOf('/webhooks', { body: hook })
    await service.api(`/webhooks/${webhook.id}`, { method: 'PUT', body: { is_disabled: true } })
    expect(await about(webhook.id)).toMatchObject([
      { type: 'webhook.disabled', sequence: 1, data: { id: webhook.id, is_disabled: true } },
    ])
  })
})

describe('the list of events', () => {
  it.each(['after', 'starting_after'])(
    'pages events by %s to the newest one without a gap, in pages of any size',
    async (cursor) => {
      const all = await eventsOf()
      for (const limit of [1, 3, 100]) {
        const walked: Array<Event> = []
        for (let [after, hasMore] = ['', true]; hasMore; after = `&${cursor}=${walked.at(-1)?.id}`) {
          const page = await dataOf(`/events?limit=${limit}${after}`)
          expect(page).toMatchObject({ object: 'list', url: '/events' })
          walked.push(...page.data)
          hasMore = page.has_more
        }
        expect(walked).toEqual(all)
      }
      expect(await eventsOf(`&${cursor}=${all.at(-1)?.id}`)).toEqual([])
    },
  )

  it('filters events by type, resource or both', async () => {
    const all = await eventsOf()
    expect(await eventsOf('&type=checkout.created')).toEqual(all.filter(({ type }) => type === 'checkout.created'))
    const [one] = all.filter(({ type }) => type === 'checkout.created')
    expect(await eventsOf(`&type=checkout.created&resource_id=${one?.resource_id}`)).toEqual([one])
    expect(await eventsOf('&type=subscription.created')).toEqual([])
    expect(await eventsOf('&resource_id=pay_of_nobody')).toEqual([])
  })

  it.each([
    'after=evt_7nQe4Cw0XbDq1yLZs5Tt0u',
    'starting_after=evt_7nQe4Cw0XbDq1yLZs5Tt0u',
    'starting_after=a&after=b',
    'type=payment.*',
    'type=unknown',
    'limit=0',
    'limit=101',
  ])('refuses to list events with %s', async (query) => {
    const { status, body } = await service.api(`/events?${query}`)
    expect({ status, body }).toEqual({ status: 400, body: problem('invalid_request', query.split('=')[0]) })
  })

  it('lists the same event as its own route returns', async () => {
    const [event] = await eventsOf()
    expect(await dataOf(`/events/${event?.id}`)).toEqual(event)
    const { status, body } = await service.api('/events/evt_7nQe4Cw0XbDq1yLZs5Tt0u')
    expect({ status, body }).toEqual({ status: 404, body: problem('not_found') })
  })
})
