import { problem } from '../testing/client.ts'
import { eventually } from '../testing/eventually.ts'
import { type Service, startService } from '../testing/service.ts'
import { newPlan, overdueSubscription, subscribe } from '../testing/subscriber.ts'
import { fundedWallet, type Wallet } from '../testing/wallet.ts'

let service: Service
let wallet: Wallet
beforeAll(async () => {
  service = await startService()
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  wallet = await fundedWallet(service.facts, [usdc])
}, 30_000)
afterAll(() => service.close())

let people = 0
const look = async (id: string) => (await service.api(`/subscriptions/${id}`)).body.data
const advance = (seconds: number) => service.api('/sandbox/advance', { body: { seconds } })
const payId = (url: string): string => url.replace(/^.*\/pay\//, '')
const quote = async (id: string) => (await service.anyone(`/pay/${id}/quote`)).body.data
const status = async (id: string) => (await service.anyone(`/pay/${id}/status`)).body.data
const post = (id: string, path: string, body: object) => service.anyone(`/pay/${id}/${path}`, { body })
const isOver = (id: string) =>
  eventually(
    () => status(id),
    (found) => found.status === 'completed',
  )
/** Has the wallet sign what is built for it, and relayed. */
const sign = async (id: string): Promise<string> => {
  const built = (await post(id, 'transaction', { source_account: wallet.address })).body.data
  const relayed = await post(id, 'submit', { transaction_xdr: wallet.sign(built.transaction_xdr) })
  expect(relayed.status).toBe(200)
  return built.kind
}
const subscribed = () => subscribe(service.api, { customer_email: `debtor-${++people}@example.com` })
const overdue = () => overdueSubscription(service, `late-${++people}@example.com`)

describe('an invoice over HTTP', () => {
  it('lets any wallet pay the invoice of an overdue subscription', async () => {
    const id = await overdue()
    const { status: before, invoice_url, customer_id } = await look(id)
    expect(before).toBe('overdue')
    const invoice = payId(invoice_url)
    expect(await quote(invoice)).toMatchObject({
      checkout_id: invoice,
      memo: expect.stringMatching(/^q_/),
      status: 'open',
      amount_due: '5',
    })
    expect((await service.anyone(`/pay/${invoice}`)).status).toBe(200)
    expect((await service.api(`/checkout/${invoice}`)).status).toBe(404)
    expect(await status(invoice)).toMatchObject({ status: 'open', subscription_id: id })
    expect(await sign(invoice)).toBe('payment')
    expect(await isOver(invoice)).toMatchObject({ checkout_id: invoice, amount_received: '5', subscription_id: id })
    await advance(1)
    const [paid] = (await service.api(`/payment?customer=${customer_id}`)).body.data.data
    expect(await look(id)).toMatchObject({ status: 'active', invoice_url: null, last_attempt: paid })
    expect(paid).toMatchObject({ status: 'confirmed', subscription_id: id, amount: '5 USDC' })
    expect(
      (await service.anyone(`/pay/${invoice}/transaction`, { body: { source_account: wallet.address } })).body,
    ).toEqual(problem('checkout_not_open'))
  })

  it('finds no invoice under an unknown id', async () => {
    for (const id of ['inv_0000000000000000000000', 'auth_0000000000000000000000']) {
      expect((await service.anyone(`/pay/${id}/quote`)).status).toBe(404)
      expect((await service.anyone(`/pay/${id}/status`)).status).toBe(404)
      expect((await post(id, 'transaction', { source_account: wallet.address })).status).toBe(404)
      expect((await service.anyone(`/pay/${id}`)).status).toBe(404)
    }
  })
})

describe('a new authorisation over HTTP', () => {
  it('shows the debt with a new authorisation, and charges it once the authorisation is signed', async () => {
    const id = await overdue()
    const request = payId((await look(id)).authorization.update_url)
    expect((await quote(request)).mandate).toMatchObject({ first_amount: '0', owed: '5' })
    expect(String((await service.anyone(`/pay/${request}`)).body)).toContain('What you owe, 5 USDC, is collected')
    await sign(request)
    await isOver(request)
    await advance(1)
    expect(await look(id)).toMatchObject({ status: 'active', last_attempt: { amount: '5 USDC' } })
    expect((await status(request)).mandate).toMatchObject({ owed: '0' })
  })

  it('requires one signature of a new authorisation, after which the pending swap takes place', async () => {
    const id = await subscribed()
    const dearer = await newPlan(service.api, { price_amount: 50 })
    const asked = (await service.api(`/subscriptions/${id}`, { method: 'PUT', body: { product_id: dearer } })).body.data
    const request = payId(asked.authorization.update_url)
    expect(await quote(request)).toMatchObject({
      checkout_id: request,
      status: 'open',
      amount: '50',
      amount_due: '0',
      sep7_uri: null,
      mandate: { first_amount: '0', cap: '55', interval: 'month' },
    })
    expect((await service.anyone(`/pay/${request}`)).status).toBe(200)
    expect(await post(request, 'customer', { email: 'who@example.com' })).toMatchObject({ status: 404 })
    expect(await post(request, 'submit', { transaction_xdr: 'AAAA' })).toMatchObject({
      status: 400,
      body: problem('malformed_transaction', 'transaction_xdr'),
    })
    expect(await sign(request)).toBe('mandate')
    await isOver(request)
    await advance(1)
    expect(await look(id)).toMatchObject({
      product_id: dearer,
      pending_update: null,
      authorization: { cap: '55 USDC', update_url: null },
    })
    expect(await post(request, 'transaction', { source_account: wallet.address })).toMatchObject({
      status: 409,
      body: problem('checkout_not_open'),
    })
  })
})
