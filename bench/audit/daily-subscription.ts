import { createClient } from '@quittance/client'
import { dayMs, minuteMs } from '@quittance/domain'
import { openService } from '@quittance/http/testing/service'

/** A merchant's subscription, which has renewed each day. */
export type DailySubscription = { readonly merchantId: string; readonly subscriptionId: string }

/** Makes a service in a data directory whose one subscription renews on so many days. */
export const subscribeForDays = async (dataDir: string, days: number): Promise<DailySubscription> => {
  const service = await openService(dataDir)
  const client = createClient({ baseUrl: service.url, apiKey: service.facts.api_key, timeoutMs: 10 * minuteMs })
  try {
    const { id: product_id } = await client.products.create({
      ...{ name: 'A daily', type: 'subscription', recurring_period: 'day', currency_code: 'EUR', price_amount: 1 },
    })
    const checkout = await client.checkouts.createForProduct({ product_id, customer_email: 'reader@daily.example' })
    await client.sandbox.pay({ checkout_id: checkout.id })
    const { subscription_id } = await client.checkouts.retrieve(checkout.id)
    if (subscription_id === null) throw new Error('the checkout has begun no subscription')
    await client.sandbox.advance({ seconds: (days * dayMs) / 1_000 })
    return { merchantId: service.facts.merchant_id, subscriptionId: subscription_id }
  } finally {
    await service.close()
  }
}
