import { eventually } from '../eventually.ts'
import type { Ask } from '../kills/ask.ts'
import type { Stage } from '../kills/stage.ts'
import { fundedWallet, type Wallet } from '../wallet.ts'

/** A subscriber. */
export type Member = { readonly id: string; readonly wallet: Wallet }

/** The plans. `plain` and `twin` have the same interval and price; `dearer` costs more than their mandate allows. */
const plans = {
  plain: { recurring_period: 'day', price_amount: 1 },
  twin: { recurring_period: 'day', price_amount: 1 },
  dearer: { recurring_period: 'day', price_amount: 5 },
  weekly: { recurring_period: 'week', price_amount: 1 },
  tried: { recurring_period: 'week', price_amount: 1, trial_days: 4 },
}
export type Plan = keyof typeof plans

/** Creates the products of all plans. */
export const sellPlans = async (ask: Ask): Promise<Readonly<Record<Plan, string>>> => {
  const sell = async (plan: Plan): Promise<string> => {
    const body = { name: `Club, ${plan}`, type: 'subscription', currency_code: 'USD', ...plans[plan] }
    return (await ask('/product', { body }))?.body.data.id
  }
  const [plain, twin, dearer, weekly, tried] = [
    await sell('plain'),
    await sell('twin'),
    await sell('dearer'),
    await sell('weekly'),
    await sell('tried'),
  ]
  return { plain, twin, dearer, weekly, tried }
}

/** Long, because busy machines are slow. */
const completedWithinMs = 300_000

export const usdcOn = ({ network }: Stage): string =>
  network.sandbox.assets().find(({ code }) => code === 'USDC')?.assetId ?? ''

/** Signs and submits a built payment or mandate with a wallet; answers whether it was relayed. */
export const sign = async (ask: Ask, id: string, wallet: Wallet): Promise<boolean> => {
  const offer = await ask(`/pay/${id}/transaction`, { body: { source_account: wallet.address } })
  if (offer?.status !== 200) return false
  const transaction_xdr = wallet.sign(offer.body.data.transaction_xdr)
  return (await ask(`/pay/${id}/submit`, { body: { transaction_xdr } }))?.status === 200
}

/** Subscribes a new wallet with 10,000 USDC; null when the service died. */
export const join = async (stage: Stage, ask: Ask, productId: string): Promise<Member | null> => {
  const wallet = await fundedWallet(stage.network.facts, [usdcOn(stage)])
  const body = { product_id: productId, customer_email: `${wallet.address}@example.com` }
  const made = await ask('/checkout?type=product', { body })
  if (made === null || made.status >= 300) return null
  const { id } = made.body.data
  const done = await eventually(
    async () => {
      const answer = await ask(`/checkout/${id}`)
      // The sent transaction may have been lost, and is dead by now.
      if (answer?.body.data.status === 'open' && answer.body.data.payment_id === null) await sign(ask, id, wallet)
      return answer
    },
    (answer) => answer === null || answer.body.data.status === 'completed',
    completedWithinMs,
  )
  return done === null ? null : { id: done.body.data.subscription_id, wallet }
}
