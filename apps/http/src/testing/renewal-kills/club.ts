import { eventually } from '../eventually.ts'
import type { Stage } from '../refund-kills/stage.ts'
import { openSale } from '../sale.ts'
import { fundedWallet } from '../wallet.ts'

/** Has so many people subscribe to something for 1 USD a day, at the service of an address. */
export const subscribeAll = async (stage: Stage, url: string, people: number): Promise<void> => {
  const { api, anyone } = stage.at(url)
  const { sandbox, facts } = stage.network
  const usdc = sandbox.assets().find(({ code }) => code === 'USDC')?.assetId ?? ''
  const plan = { name: 'Club', type: 'subscription', recurring_period: 'day', currency_code: 'USD', price_amount: 1 }
  const product_id = (await api('/product', { body: plan })).body.data.id
  await Promise.all(
    Array.from({ length: people }, async (_, person) => {
      const wallet = await fundedWallet(facts, [usdc])
      const body = { product_id, customer_email: `p${person}-${Date.now()}@example.com` }
      const { id } = await openSale({ api, anyone }, body, 'product')
      const offer = await anyone(`/pay/${id}/transaction`, { body: { source_account: wallet.address } })
      const transaction_xdr = wallet.sign(offer.body.data.transaction_xdr)
      await anyone(`/pay/${id}/submit`, { body: { transaction_xdr } })
      await eventually(
        () => api(`/checkout/${id}`),
        ({ body: { data } }) => data.status === 'completed',
      )
    }),
  )
}
