import type { Client } from './client.ts'
import { completed } from './sale.ts'
import type { Service } from './service.ts'

/** A subscription product of 5 USD a month by default. */
export const newPlan = async (api: Client, change: object = {}): Promise<string> => {
  const plan = { name: 'P', type: 'subscription', recurring_period: 'month', currency_code: 'USD', price_amount: 5 }
  return (await api('/product', { body: { ...plan, ...change } })).body.data.id
}

/**
 * Subscribes by a wallet of the sandbox, and answers the subscription's id; `buyer` has the customer fields of a
 * checkout.
 */
export const subscribe = async (api: Client, buyer: object, change: object = {}): Promise<string> => {
  const body = { product_id: await newPlan(api, change), ...buyer }
  const { id } = (await api('/checkout?type=product', { body })).body.data
  const { status, body: paid } = await api('/sandbox/pay', { body: { checkout_id: id } })
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(paid)}`)
  return (await completed({ api }, id)).subscription_id
}

const daySeconds = 24 * 60 * 60

/** Makes an overdue subscription, whose allowance has run out and which only its invoice can save. */
export const overdueSubscription = async ({ api }: Pick<Service, 'api'>, email: string): Promise<string> => {
  const id = await subscribe(api, { customer_email: email })
  const { customer_id, current_period_end, asset_id } = (await api(`/subscriptions/${id}`)).body.data
  const [{ payment_method_details }] = (await api(`/payment?customer=${customer_id}`)).body.data.data
  await api('/sandbox/faults', { body: { expired_allowance: { account: payment_method_details.address, asset_id } } })
  await api('/sandbox/advance', { body: { to: current_period_end } })
  for (let days = 0; days < 5; days++) await api('/sandbox/advance', { body: { seconds: daySeconds } })
  await api('/sandbox/faults', { body: {} })
  return id
}
