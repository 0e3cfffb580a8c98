import type { HttpResponse } from './client.ts'
import { eventually } from './eventually.ts'
import type { Shop } from './keyed-commands.ts'
import { completed, openSale } from './sale.ts'
import type { Service } from './service.ts'
import { fundedWallet } from './wallet.ts'

type Running = Pick<Service, 'api' | 'anyone' | 'facts'>

/** Pays with the memo of a return: what is one itself never goes back, and waits for a person. */
const strayedTo = (service: Running) => async (): Promise<string> => {
  const [wallet, sale] = [await fundedWallet(service.facts), await openSale(service)]
  const { hash } = await wallet.pay({ ...sale, memo: 'rf_0000000000000000000000' })
  const ofIt = ({ body }: HttpResponse) =>
    body.data.data.find((each: Readonly<Record<string, unknown>>) => each.transaction_hash === hash)
  const listed = await eventually(
    () => service.api('/exceptions?limit=100'),
    (answer) => ofIt(answer)?.decision_needed === 'is_return',
  )
  return ofIt(listed).id
}

/** The setting of `keyedCommands` on a running service. */
export const openKeyedShop = async (service: Running): Promise<Shop> => {
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  const wallet = await fundedWallet(service.facts, [usdc])
  const calls = { name: 'Calls', type: 'metered', currency_code: 'USD', price_amount: 1, unit: 'call' }
  const metered = { ...calls, units_per_credit: 1, total_credits: 100_000 }
  const product = (await service.api('/product', { body: metered })).body.data
  const buyer = (await service.api('/customers', { body: { email: 'buyer@example.com', name: 'B' } })).body.data
  const sale = await openSale(service, { product_id: product.id, customer_id: buyer.id }, 'product')
  await wallet.pay(sale)
  await completed(service, sale.id)
  return {
    api: service.api,
    credits: `/customers/${buyer.id}/credits/${product.id}`,
    strayed: strayedTo(service),
    elsewhere: (await fundedWallet(service.facts, [usdc])).address,
    payTo: wallet,
  }
}
