import { done } from './outcomes.ts'
import type { StoreFront } from './store-front.ts'
import { units } from './wallets.ts'

/**
 * Sells for ten dollars, has it paid, and lets the worker read that ledger so much later. `paid`: the ledger is closed by then;
 * `unknown`: the last moment at which nobody has read it.
 */
export const paidLate = async (front: StoreFront, lateMs: number) => {
  const { network, billing, payer, account } = front
  const { id } = await front.sell()
  const memo = await front.memoOf(id)
  await done(billing.payer.quote(id))
  network.wait(5_000)
  payer.pay({ to: account, asset: network.usdc.assetId, parts: [units(10)], memo })
  network.wait(5_000)
  const paid = network.now()
  network.wait(lateMs)
  const unknown = network.now()
  network.wait(1)
  await front.step()
  return { id, paid, unknown }
}
