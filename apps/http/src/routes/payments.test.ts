import { problem } from '../testing/client.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
let usdc: string
beforeAll(async () => {
  service = await startService()
  usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
}, 30_000)
afterAll(() => service.close())

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const createProduct = async () => {
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  return (await service.api('/product', { body: book })).body.data
}

describe('a sale to a customer', () => {
  it('a sale leads to a confirmed payment, a linked wallet and access, with every documented field', async () => {
    const product = await createProduct()
    const person = { email: 'ada@example.com', name: 'Ada' }
    const customer = (await service.api('/customers', { body: person })).body.data
    const access = () => service.api(`/customers/${customer.id}/access/${product.id}`)
    expect((await access()).body).toEqual({ has_access: false, grant: null, expires_at: null })

    const asked = { product_id: product.id, customer_id: customer.id, metadata: { order: 7 } }
    const sale = await openSale(service, asked, 'product')
    const { hash, status } = await wallet.pay(sale)
    expect(status).toBe('SUCCESS')
    const checkout = await completed(service, sale.id)
    expect(checkout).toEqual({
      ...sale.checkout,
      amount_due: null,
      status: 'completed',
      completed_at: isoTime,
      payment_id: expect.stringMatching(/^pay_[0-9A-Za-z]{22}$/),
    })

    const { body } = await service.api(`/payment/${checkout.payment_id}`)
    const linked = { id: expect.stringMatching(/^cwl_[0-9A-Za-z]{22}$/), address: wallet.address }
    expect(body).toEqual({
      data: {
        id: checkout.payment_id,
        object: 'payment',
        checkout_id: sale.id,
        customer_id: customer.id,
        subscription_id: null,
        amount: '13.5 USDC',
        amount_stroops: '135000000',
        amount_cents: 1250,
        asset_id: usdc,
        currency_code: 'EUR',
        status: 'confirmed',
        transaction_hash: hash,
        transactions: [{ hash, ledger: expect.any(Number), amount: '13.5 USDC', from: wallet.address }],
        billing_details: { email: 'ada@example.com', name: 'Ada' },
        payment_method_details: linked,
        line_items: [],
        metadata: { order: 7 },
        ledger: body.data.transactions[0].ledger,
        confirmed_at: checkout.completed_at,
        failure_reason: null,
        failure_code: null,
        platform_fee: null,
        overpaid_amount: null,
        late: false,
        receipt_url: expect.stringMatching(/\/receipts\/pay_\w{22}-[0-9a-f]{32}$/),
        refunded: false,
        synced_at: isoTime,
        environment: 'testnet',
        created_at: isoTime,
      },
    })
    expect((await access()).body).toEqual({
      has_access: true,
      grant: { type: 'one_time', payment_id: checkout.payment_id },
      expires_at: null,
    })
    expect((await service.api(`/customers/${customer.id}`)).body.data.wallets).toEqual([
      { ...linked, via: 'payment', metadata: {}, created_at: isoTime },
    ])
    const listed = await service.api(`/payment?customer=${customer.id}`)
    expect(listed.body.data).toMatchObject({ object: 'list', has_more: false, url: '/payment' })
    expect(listed.body.data.data.map(({ id }: { id: string }) => id)).toEqual([checkout.payment_id])
  })
})

describe('a payment of a guest', () => {
  it('names no customer for the payment of a guest', async () => {
    const sale = await openSale(service)
    await wallet.pay(sale)
    const { payment_id } = await completed(service, sale.id)
    expect((await service.api(`/payments/${payment_id}`)).body.data).toMatchObject({
      customer_id: null,
      billing_details: null,
      payment_method_details: null,
      currency_code: 'XLM',
      amount_cents: null,
      amount: '5 XLM',
      asset_id: 'native',
    })
  })
})

describe('a payment through the service', () => {
  it('keeps a relayed payment pending until a ledger includes it, and updates it when it is retrieved', async () => {
    const sale = await openSale(service)
    const built = await service.anyone(`/pay/${sale.id}/transaction`, { body: { source_account: wallet.address } })
    expect(built.body.data).toEqual({
      transaction_xdr: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
      network_passphrase: service.facts.network_passphrase,
      kind: 'payment',
      mandate: null,
      send_max: null,
      sep7_uri: expect.stringMatching(/^web\+stellar:tx\?/),
      expires_at: isoTime,
    })
    const body = { transaction_xdr: wallet.sign(built.body.data.transaction_xdr) }
    const submitted = await service.anyone(`/pay/${sale.id}/submit`, { body })
    expect(submitted.body).toEqual({ data: { transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/) } })
    const hash: string = submitted.body.data.transaction_hash
    const { payment_id } = (await service.api(`/checkout/${sale.id}`)).body.data
    const pending = (await service.api(`/payment/${payment_id}`)).body.data
    expect(['pending', 'confirmed']).toContain(pending.status)
    expect(pending.transaction_hash).toBe(hash)

    expect((await wallet.ledger.pollTransaction(hash, { attempts: 20 })).status).toBe('SUCCESS')
    expect((await service.api(`/payment/${payment_id}`)).body.data).toMatchObject({
      status: 'confirmed',
      transaction_hash: hash,
    })
    expect((await completed(service, sale.id)).payment_id).toBe(payment_id)
  }, 60_000)
})

describe('partial payments and overpayments', () => {
  it('adds up partial payments, and shows the rest of an overpayment', async () => {
    const sale = await openSale(service)
    await wallet.pay({ ...sale, amount: '2' })
    await wallet.pay({ ...sale, amount: '3.04' })
    const { payment_id } = await completed(service, sale.id)
    const { data } = (await service.api(`/payment/${payment_id}`)).body
    expect(data).toMatchObject({ status: 'confirmed', amount: '5.04 XLM', overpaid_amount: '0.04 XLM' })
    expect(data.transactions.length).toBe(2)
  }, 60_000)
})

describe('payments and access', () => {
  it('finds no payment and no access under unknown ids', async () => {
    const product = await createProduct()
    const customer = (await service.api('/customers', { body: { email: 'b@example.com', name: 'B' } })).body.data
    for (const path of [
      '/payment/pay_unknown',
      '/payments/pay_unknown',
      `/customers/${customer.id}/access/prod_unknown`,
      `/customers/cus_unknown/access/${product.id}`,
    ]) {
      const { status, body } = await service.api(path)
      expect({ path, status, body }).toEqual({ path, status: 404, body: problem('not_found') })
    }
    await service.api(`/customers/${customer.id}`, { method: 'DELETE' })
    expect((await service.api(`/customers/${customer.id}/access/${product.id}`)).status).toBe(404)
  })

  it('lists payments newest first, page by page, and by status', async () => {
    const listed = async (query: string) => {
      const { data } = (await service.api(`/payment?${query}`)).body
      return data.data.map(({ id }: { id: string }) => id)
    }
    const all = await listed('limit=100')
    expect(all.length).toBe(4)
    expect(await listed('limit=2')).toEqual(all.slice(0, 2))
    expect(await listed(`limit=2&starting_after=${all[1]}`)).toEqual(all.slice(2))
    expect(await listed(`ending_before=${all[2]}`)).toEqual(all.slice(0, 2))
    expect(await listed('status=confirmed')).toEqual(all)
    expect(await listed('status=failed')).toEqual([])
    expect(await listed('customer=cus_unknown')).toEqual([])
    const wrong = await service.api('/payment?status=lost')
    expect({ status: wrong.status, body: wrong.body }).toEqual({
      status: 400,
      body: problem('invalid_request', 'status'),
    })
  })
})
