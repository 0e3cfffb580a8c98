import { type AssetId, hourMs, stroops } from '@quittance/domain'
import * as fc from 'fast-check'
import { exceptionsIn } from '../../../testing/exceptions.ts'
import { done } from '../../../testing/outcomes.ts'
import { payoutsIn } from '../../../testing/payouts.ts'
import { refundsIn } from '../../../testing/refunds.ts'
import type { StoreFront } from '../../../testing/store-front.ts'
import { units } from '../../../testing/wallets.ts'

type Code = 'usdc' | 'xlm' | 'eurc'

/** Something that happens to a shop. `which` chooses among what there is. */
export type ShopAct =
  | { readonly _tag: 'sell'; readonly code: Code; readonly parts: ReadonlyArray<number> }
  | { readonly _tag: 'pay_again' | 'refund' | 'accept' | 'apply'; readonly which: number }
  | { readonly _tag: 'pay_nobody'; readonly code: Code }
  | { readonly _tag: 'rate'; readonly percent: number }
  | { readonly _tag: 'pay_out' | 'wait' }

const anyCode = fc.constantFrom<Code>('usdc', 'usdc', 'xlm', 'eurc')
const which = fc.nat({ max: 5 })

const anyShopAct: fc.Arbitrary<ShopAct> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant('sell' as const),
      code: anyCode,
      parts: fc.array(fc.constantFrom(30, 70, 100, 101, 150), { minLength: 1, maxLength: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constantFrom('pay_again', 'refund', 'accept', 'apply'), which }) },
  fc.record({ _tag: fc.constant('pay_nobody' as const), code: anyCode }),
  fc.record({ _tag: fc.constant('rate' as const), percent: fc.constantFrom(80, 100, 125) }),
  fc.record({ _tag: fc.constantFrom('pay_out', 'wait') }),
)

/** What happens to a shop in the course of its life. */
export const anyShopLife: fc.Arbitrary<ReadonlyArray<ShopAct>> = fc.array(anyShopAct, { minLength: 4, maxLength: 14 })

/** Ten dollars in each asset, at the pinned rates. */
const priceOf: Readonly<Record<Code, bigint>> = { usdc: 100_000_000n, xlm: 400_000_000n, eurc: 92_592_593n }

/** Lets a shop live, and all that it began come to its end. Last, somebody takes money out of its account. */
export const liveIn = async (front: StoreFront, life: ReadonlyArray<ShopAct>): Promise<void> => {
  const { network, platform, merchantId, scope, billing, wallets } = front
  const [refunds, payouts, exceptions] = [refundsIn(front), payoutsIn(front), exceptionsIn(front)]
  const destination = await payouts.destination()
  const sold: Array<{ readonly id: string; readonly code: Code }> = []
  const assetOf = (code: Code): AssetId => network[code].assetId
  const chosen = <Each>(all: ReadonlyArray<Each>, place: number): Each | undefined =>
    all[place % Math.max(all.length, 1)]
  const parts = (code: Code, percents: ReadonlyArray<number>) =>
    percents.map((percent) => stroops((priceOf[code] * BigInt(percent)) / 100n))

  const perform = async (act: ShopAct): Promise<void> => {
    switch (act._tag) {
      case 'sell': {
        const { id } = await front.sell(assetOf(act.code))
        sold.push({ id, code: act.code })
        await front.pay(id, parts(act.code, act.parts), { asset: assetOf(act.code) })
        return
      }
      case 'pay_again': {
        const sale = chosen(sold, act.which)
        if (sale !== undefined) await front.pay(sale.id, parts(sale.code, [100]), { asset: assetOf(sale.code) })
        return
      }
      case 'refund': {
        await platform.shown()
        const { resources } = await billing.payments.list({ ...scope, limit: 100 })()
        const payment = chosen(resources, act.which)
        if (payment !== undefined) await refunds.request(payment)()
        return
      }
      case 'accept':
      case 'apply': {
        const exception = chosen(await exceptions.all(), act.which)
        if (exception === undefined) return
        const checkoutId = chosen(sold, act.which + 1)?.id ?? ''
        const wanted = act._tag === 'accept' ? { action: act._tag } : { action: act._tag, checkoutId }
        await exceptions.resolve(exception, { note: null, ...wanted })()
        return
      }
      case 'pay_nobody':
        await front.pay(null, parts(act.code, [10]), { asset: assetOf(act.code) })
        return
      case 'rate':
        network.rates.percent = act.percent
        return
      case 'pay_out':
        await payouts.request(destination, { amount: units(1) })()
        return
      case 'wait':
        network.wait(25 * hourMs)
        await front.step()
    }
  }
  for (const act of life) await perform(act)
  for (let ledgers = 0; ledgers < 12; ledgers++) {
    await done(front.worker.step)
    network.wait(ledgers < 6 ? 1000 : 25 * hourMs)
  }
  await front.step()
  // Signed with the service's own key: from then on it would wait for the operator.
  const secret = await front.seedOf(merchantId)
  wallets.payFrom(secret, { to: front.other.account, asset: assetOf('usdc'), parts: [stroops(7n)], memo: null })
  await front.step()
}
