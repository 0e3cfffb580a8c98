import { type Service, startService } from '../testing/service.ts'
import type { OpenApi } from '../wire/openapi/document.ts'

/** What the interface document names, and the reference of the service has to have; the reference may have more. */
const objects: Readonly<Record<string, string>> = {
  Product:
    'id object name description images type status asset_id currency_code price_amount recurring_period unit units_per_credit total_credits metadata environment created_at updated_at',
  Customer: 'id object email name phone image wallets metadata created_at updated_at',
  Wallet: 'id address metadata created_at',
  Checkout:
    'id object customer_id product_id amount currency_code status payment_url redirect_url description metadata expires_at created_at',
  Payment:
    'id object checkout_id customer_id subscription_id amount status transaction_hash billing_details payment_method_details line_items metadata created_at',
  BillingDetails: 'email name',
  PaymentMethod: 'id address',
  LineItem: 'id amount reason status',
  Asset: 'code description canonicalIssuer images',
  Webhook: 'id object name url events is_disabled description created_at updated_at',
  PortalSession: 'url expires_at',
  AccessResult: 'has_access grant',
  SubscriptionGrant: 'type subscription_id status',
  OneTimeGrant: 'type payment_id',
  CustomerList: 'object data has_more url',
  NewProduct:
    'name type currency_code price_amount price_amount_cents recurring_period description images unit units_per_credit total_credits metadata asset_id',
  ChangedProduct: 'name description price_amount recurring_period images metadata',
  NewCustomer: 'email name phone image metadata',
  ChangedCustomer: 'email name phone image metadata',
  NewProductCheckout: 'product_id customer_id customer_email customer_phone redirect_url description metadata',
  NewDirectCheckout: 'amount currency_code customer_id customer_email customer_phone redirect_url description metadata',
  NewRefund: 'payment_id reason wallet_address metadata',
  NewWebhook: 'name url events description',
  ChangedWebhook: 'name url events is_disabled description',
}

const values: ReadonlyArray<readonly [string, string]> = [
  ['Product.object', 'product'],
  ['Product.type', 'one_time subscription metered'],
  ['Product.status', 'active archived'],
  ['Product.recurring_period', 'day week month year'],
  ['Product.environment', 'testnet mainnet'],
  ['Customer.object', 'customer'],
  ['Checkout.object', 'checkout'],
  ['Checkout.status', 'open completed expired failed'],
  ['Payment.object', 'payment'],
  ['Payment.status', 'pending confirmed failed'],
  ['LineItem.status', 'pending confirmed failed'],
  ['Webhook.object', 'webhook'],
  ['CustomerList.object', 'list'],
  ['OneTimeGrant.type', 'one_time'],
  ['SubscriptionGrant.type', 'subscription'],
  ['SubscriptionGrant.status', 'active trialing paused'],
]

const prefixes: ReadonlyArray<readonly [string, string]> = [
  ['Product.id', 'prod_'],
  ['Customer.id', 'cus_'],
  ['Wallet.id', 'cwl_'],
  ['Checkout.id', 'chk_'],
  ['Payment.id', 'pay_'],
  ['PaymentMethod.id', 'cwl_'],
  ['LineItem.id', 'ref_'],
  ['Webhook.id', 'wh_'],
]

const endpoints = [
  'post /product',
  'put /product/{id}',
  'delete /product/{id}',
  'post /customers',
  'get /customers',
  'get /customers/{id}',
  'put /customers/{id}',
  'delete /customers/{id}',
  'post /customers/{id}/portal',
  'get /customers/{id}/access/{product}',
  'get /subscriptions',
  'get /subscriptions/{id}',
  'put /subscriptions/{id}',
  'post /subscriptions/{id}/cancel',
  'post /subscriptions/{id}/pause',
  'post /subscriptions/{id}/resume',
  'post /checkout',
  'get /checkout/{id}',
  'get /payment/{id}',
  'get /payment',
  'post /refunds',
  'get /assets',
  'get /currencies',
  'post /webhooks',
  'get /webhooks/{id}',
  'put /webhooks/{id}',
  'delete /webhooks/{id}',
]

let service: Service
let reference: OpenApi
beforeAll(async () => {
  service = await startService()
  reference = (await service.anyone('/openapi.json')).body
})
afterAll(() => service.close())

/** A field such as `Product.id` as its schema tells it; of what may be null as well, what else it may be. */
const schemaOf = (path: string) => {
  const [object = '', field = ''] = path.split('.')
  const schema = JSON.parse(JSON.stringify(reference.components.schemas[object])).properties[field]
  return schema.anyOf?.[0] ?? schema
}

describe('the reference of the service', () => {
  it.each(Object.entries(objects))('has the documented fields of %s', (object, fields) => {
    const { properties } = JSON.parse(JSON.stringify(reference.components.schemas[object]))
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields.split(' ')))
  })

  it.each(values)('has the documented values of %s: %s, and no others', (path, expected) => {
    const schema = schemaOf(path)
    expect(schema.enum ?? [schema.const]).toEqual(expected.split(' '))
  })

  it.each(prefixes)('has the documented prefix of %s: %s', (path, prefix) => {
    expect(schemaOf(path).pattern).toMatch(new RegExp(`^\\^${prefix}\\[`))
  })

  it('has the documented endpoints, each with an answer of 200', () => {
    const served = Object.entries(reference.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        '200' in responses ? [`${method} ${path}`] : [],
      ),
    )
    expect(served).toEqual(expect.arrayContaining(endpoints))
  })
})

describe('every list', () => {
  it('is paged and narrowed by time alike', async () => {
    const lists = Object.entries(reference.paths).flatMap(([path, { get }]) =>
      JSON.stringify(get?.parameters ?? []).includes('created[gte]') && !path.includes('{') ? [path] : [],
    )
    expect(lists.length).toBeGreaterThan(6)
    const query = 'customer_id=cus_none&limit=1&created[gte]=2026-01-01T00:00:00Z&created[lt]=2099-01-01T00:00:00Z'
    const answers = await Promise.all(
      lists.map(async (path) => {
        const { status, body } = await service.api(`${path}?${query}`)
        return { path, status, object: body.data?.object, url: body.data?.url }
      }),
    )
    expect(answers).toEqual(lists.map((path) => ({ path, status: 200, object: 'list', url: path })))
  })
})
