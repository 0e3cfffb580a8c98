import { setTimeout as pause } from 'node:timers/promises'
import type { LastingNetwork } from '@quittance/http/testing/kills/lasting-network'
import { sign } from '@quittance/http/testing/renewal-kills/joining'
import { fundedWallet } from '@quittance/http/testing/wallet'
import type { Asking } from './asking.ts'

const betweenLooksMs = 500
const joinedWithinMs = 180_000

/** People who subscribe to something that renews every day. */
export const openClub = async ({ insist, ask }: Asking, { sandbox, facts }: LastingNetwork) => {
  const usdc = sandbox.assets().find(({ code }) => code === 'USDC')?.assetId ?? ''
  const plan = { name: 'Club', type: 'subscription', recurring_period: 'day', currency_code: 'USD', price_amount: 1 }
  const productId: string = (await insist('/product', { body: plan, key: 'club' })).body.data.id
  const members: Array<string> = []
  const wrong: Array<string> = []

  const join = async (number: number): Promise<void> => {
    const wallet = await fundedWallet(facts, [usdc])
    const body = { product_id: productId, customer_email: `member-${number}@example.com` }
    const made = await insist('/checkout?type=product', { body, key: `member ${number}` })
    if (made.status !== 200) throw new Error(`a checkout was answered ${made.status} ${JSON.stringify(made.body)}`)
    const { id } = made.body.data
    const deadline = AbortSignal.timeout(joinedWithinMs)
    for (;;) {
      const { data } = (await insist(`/checkout/${id}`)).body
      if (data.status === 'completed') return void members.push(data.subscription_id)
      if (deadline.aborted) throw new Error(`${id} is ${data.status} after ${joinedWithinMs} ms`)
      if (data.status === 'open' && data.payment_id === null) await sign(ask, id, wallet)
      await pause(betweenLooksMs)
    }
  }
  return {
    members,
    wrong,
    join: (number: number): Promise<void> =>
      join(number).catch((cause: unknown) => void wrong.push(`member ${number}: ${cause}`)),
  }
}
