import type { Client } from './client.ts'
import { completed } from './sale.ts'

/** A subscription product of 5 USD a month, unless it is changed. */
export const newPlan = async (api: Client, change: object = {}): Promise<string> => {
  const plan = { name: 'P', type: 'subscription', recurring_period: 'month', currency_code: 'USD', price_amount: 5 }
  return (await api('/product', { body: { ...plan, ...change } })).body.data.id
}

/** Subscribes somebody, by a wallet of the sandbox; `buyer` names them as a checkout does. The subscription's id. */
export const subscribe = async (api: Client, buyer: object, change: object = {}): Promise<string> => {
  const body = { product_id: await newPlan(api, change), ...buyer }
  const { id } = (await api('/checkout?type=product', { body })).body.data
  const { status, body: paid } = await api('/sandbox/pay', { body: { checkout_id: id } })
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(paid)}`)
  return (await completed({ api }, id)).subscription_id
}
