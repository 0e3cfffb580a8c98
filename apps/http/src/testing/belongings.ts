import { Keypair } from '@stellar/stellar-sdk'
import { drive, newSale } from './buyer.ts'
import { provenDestination } from './destination.ts'
import { eventually } from './eventually.ts'
import { openSale } from './sale.ts'
import type { Service } from './service.ts'
import { subscribe } from './subscriber.ts'
import { fundedWallet, walletOn } from './wallet.ts'

/** What a merchant has, by what routes call it in their paths and callers in their bodies. */
export type Kind =
  | 'product'
  | 'customer'
  | 'checkout'
  | 'payment'
  | 'wallet'
  | 'exception'
  | 'webhook'
  | 'delivery'
  | 'refund'
  | 'event'
  | 'payout'
  | 'destination'
  | 'approval'
  | 'asset'
  | 'subscription'
  | 'priceChange'
export type Belongings = Readonly<Record<Kind, string>>

/** Texts that stand in a merchant's belongings, by the family of resources that each stands in. */
export const planted = {
  customers: ['victim@kill.example', 'planted in customers', '+15550001111222'],
  products: ['planted in products'],
  checkouts: ['planted in checkouts'],
  refunds: ['planted in refunds'],
  payouts: ['planted in payouts'],
  subscriptions: ['planted in subscriptions'],
  webhooks: ['planted in webhooks'],
  approvals: ['planted in approvals'],
  exceptions: ['"kind":"unmatched"'],
  settlement: [Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(5)).publicKey()],
} as const

/** A merchant with something of every kind, of which nothing changes by itself. */
export const openBelongings = async (service: Service): Promise<Belongings> => {
  const sale = newSale('victim', 'rpc')
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  const { keypair } = await fundedWallet(service.facts, [usdc])
  await drive(service, sale, keypair)
  const [product = '', checkout = '', customer = ''] = [sale.productId, sale.checkoutId, sale.customerId].map(String)
  const wallets = `/customers/${customer}/wallets`
  const challenge = (await service.api(wallets, { body: { address: keypair.publicKey() } })).body.data
  const signed = walletOn(service.facts, keypair).sign(challenge.transaction)
  const wallet = (await service.api(`${wallets}/verify`, { body: { transaction: signed } })).body.data.id
  const { payment_id: payment } = (await service.api(`/checkout/${checkout}`)).body.data
  await walletOn(service.facts, keypair).pay({ ...(await openSale(service)), memo: null })
  const exceptions = await eventually(
    () => service.api('/exceptions?status=resolved'),
    ({ body }) => body.data.data.length > 0,
  )
  const put = (path: string, body: object) => service.api(path, { method: 'PUT', body })
  const [customers, phone] = [planted.customers[1], planted.customers[2]]
  await put(`/customers/${customer}`, { name: customers, phone, metadata: { note: customers } })
  await put(`/product/${product}`, { description: planted.products[0] })
  await put('/settlement', { funding_accounts: planted.settlement })
  const [description] = planted.checkouts
  const other = { amount: 1, currency_code: 'XLM', customer_id: customer, description, metadata: { description } }
  await service.api('/checkout?type=direct', { body: other })
  const refunded = { payment_id: payment, reason: planted.refunds[0] }
  const refund = (await service.api('/refunds', { body: refunded })).body.data.id
  // Once it has ended, nothing of the victim's changes by itself.
  await eventually(
    () => service.api(`/refunds/${refund}`),
    ({ body }) => body.data.status === 'succeeded',
  )
  const place = {
    label: planted.payouts[0],
    address: Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(4)).publicKey(),
  }
  const destination = (await service.api('/payout_destinations', { body: place })).body.data.id
  // Far in the future, so that nothing is paid out by itself.
  const schedule = { asset_id: 'native', interval: 'threshold', threshold: '900000000', destination }
  await service.api('/payout_schedules', { method: 'PUT', body: schedule })
  const own = await provenDestination(service, walletOn(service.facts, keypair))
  const wanted = { asset_id: 'native', amount: '1', destination: own, metadata: { note: planted.payouts[0] } }
  const payout = (await service.api('/payouts', { body: wanted })).body.data.id
  await eventually(
    () => service.api(`/payouts/${payout}`),
    ({ body }) => body.data.status === 'succeeded',
  )
  // A second payout needs an approval, which nobody gives.
  await put('/limits', { scope: 'merchant', amount: '0' })
  const approval = (await service.api('/payouts', { body: { ...wanted, metadata: {} } })).body.data.approval_id
  await service.api(`/approvals/${approval}/reject`, { body: { note: planted.approvals[0] } })
  const [event] = (await service.api('/events?type=payment.confirmed')).body.data.data
  const hook = {
    name: 'A hook',
    url: 'https://victim.example/hook',
    events: ['payment.confirmed'],
    description: planted.webhooks[0],
  }
  const webhook = (await service.api('/webhooks', { body: hook })).body.data.id
  // Suspended, so that nobody attempts the delivery.
  await service.api(`/webhooks/${webhook}`, { method: 'PUT', body: { is_disabled: true } })
  const delivery = (await service.api(`/webhooks/${webhook}/test`, { method: 'POST' })).body.data.id
  const subscription = await subscribe(service.api, { customer_id: customer })
  await put(`/subscriptions/${subscription}`, { metadata: { note: planted.subscriptions[0] } })
  const { product_id } = (await service.api(`/subscriptions/${subscription}`)).body.data
  const newPrice = { product_id, price_amount: 5.1, effective_at: '2099-01-01T00:00:00Z' }
  const priceChange = (await service.api('/price_changes', { body: newPrice })).body.data
  await eventually(
    () => service.api(`/price_changes/${priceChange.id}`),
    ({ body }) => body.data.all_noticed,
  )
  return {
    product,
    checkout,
    customer,
    payment,
    wallet,
    exception: exceptions.body.data.data[0].id,
    webhook,
    delivery,
    refund,
    event: event.id,
    payout,
    destination,
    approval,
    asset: 'native',
    subscription,
    priceChange: priceChange.id,
  }
}

/** What each parameter of a path names, by the word before it. A new route says so here, or the tests fail. */
const named: Readonly<Record<string, keyof Belongings>> = {
  product: 'product',
  products: 'product',
  access: 'product',
  credits: 'product',
  customers: 'customer',
  checkout: 'checkout',
  payment: 'payment',
  payments: 'payment',
  wallets: 'wallet',
  exceptions: 'exception',
  webhooks: 'webhook',
  deliveries: 'delivery',
  refunds: 'refund',
  events: 'event',
  subscriptions: 'subscription',
  price_changes: 'priceChange',
  payouts: 'payout',
  payout_destinations: 'destination',
  approvals: 'approval',
  payout_schedules: 'asset',
}

export const pathOf = (url: string, owned: Belongings): string =>
  url.replaceAll(/(\w+)\/:\w+/g, (_, word: string) => {
    const kind = named[word]
    if (kind === undefined) throw new Error(`which of a merchant's belongings does ${url} name after "${word}"?`)
    return `${word}/${owned[kind]}`
  })

/** A body that every route can read: each takes what it knows of it. */
export const bodyOf = ({ product, customer, payment, checkout }: Belongings) => ({
  name: 'A name',
  email: `isolation-${product.slice(-8)}@shop.example`,
  type: 'one_time',
  currency_code: 'EUR',
  price_amount: 3,
  effective_at: '2099-01-01T00:00:00Z',
  amount: 3,
  units: 1,
  url: 'https://shop.example/hook',
  events: ['payment.confirmed'],
  address: Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(3)).publicKey(),
  transaction: 'AAAA',
  action: 'accept',
  product_id: product,
  customer_id: customer,
  into: customer,
  reason: 'one person',
  payment_id: payment,
  checkout_id: checkout,
})
