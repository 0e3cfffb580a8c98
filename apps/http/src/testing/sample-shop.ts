import { Keypair } from '@stellar/stellar-sdk'
import { eventually } from './eventually.ts'
import { listener } from './listener.ts'
import { memberClient, ownersSession } from './members.ts'
import { completed, openSale } from './sale.ts'
import { type Service, startService } from './service.ts'
import { overdueSubscription, subscribe } from './subscriber.ts'
import { fundedWallet } from './wallet.ts'

/** A service whose shop has something of everything that the dashboard shows. */
export const sampleShop = async (): Promise<Service> => {
  const many = Keypair.random()
  const service = await startService({ QUITTANCE_OMNIBUS_ACCOUNTS: many.publicKey() })
  const { api, facts } = service
  const programs = await listener()
  await api('/webhooks', { body: { name: 'Our shop', url: programs.url, events: ['*'] } })
  await api('/merchant', {
    method: 'PUT',
    body: { legal_name: 'A Shop Ltd', address: '1 High Street\nLondon', support_contact: 'help@shop.example' },
  })
  const long = 'A very long name of a product that goes on, issue after issue, until nobody reads it any more'
  const book = { name: long, type: 'one_time', currency_code: 'EUR', price_amount: 12_345.5 }
  const product_id = (await api('/product', { body: { ...book, description: long } })).body.data.id
  const buyer = { product_id, customer_email: 'augusta.ada.king.countess.of.lovelace@analytical-engine.example' }
  const sale = await openSale(service, buyer, 'product')
  await api('/sandbox/pay', { body: { checkout_id: sale.id } })
  const { payment_id } = await completed(service, sale.id)
  await api('/refunds', { body: { payment_id, reason: 'Not as described' } })
  await openSale(service, buyer, 'product')
  await subscribe(api, { customer_email: 'reader@example.com' }, { name: 'Reading club' })
  await overdueSubscription(service, 'late@example.com')

  const usdc = facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  const exchange = await fundedWallet(facts, [usdc], many)
  await exchange.pay({ ...(await openSale(service, { amount: 5, currency_code: 'USDC' })), memo: 'for nobody' })
  await eventually(
    () => api('/exceptions?status=open'),
    ({ body }) => body.data.data.length === 1,
  )
  const owner = memberClient(service, await ownersSession(service))
  await owner('/members', { body: { email: 'grace.brewster.murray.hopper@team.example', role: 'developer' } })
  const close = async () => {
    await service.close()
    await programs.close()
  }
  return { ...service, close }
}
