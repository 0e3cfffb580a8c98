import { hourMs } from '@quittance/domain'
import type { ExceptionResource } from '../../resources/exception.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { survived } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import type { Resolution } from './resolve.ts'

const mostAppends = 40

let front: StoreFront
let exceptions: ReturnType<typeof exceptionsIn>
let exchange: Wallet
beforeAll(async () => {
  front = await openStoreFront()
  exceptions = exceptionsIn(front)
  exchange = await front.wallets.wallet(71)
  exchange.requireMemo()
  await payoutsIn(front).destination(front.other)
})
afterAll(() => front.close())

const waiting = async (): Promise<ExceptionResource> =>
  exceptions.of(await front.pay(null, [units(10)], { from: exchange }))

describe('a decision whose process dies after any append', () => {
  it.each([
    ['refund', 2],
    ['apply', 5],
    ['accept', 1],
  ] as const)('the worker or a retry resumes a decision after a crash at any append: %s', async (action, appends) => {
    let deaths = 0
    for (; deaths < mostAppends; deaths++) {
      const [exception, sale, context] = [await waiting(), await front.sell(), exceptions.now()]
      const wanted: Readonly<Record<typeof action, Resolution>> = {
        refund: { action: 'refund', destination: front.other.account, note: null },
        apply: { action: 'apply', checkoutId: sale.id, note: null },
        accept: { action: 'accept', note: null },
      }
      const before = await exceptions.held(front.other.account)
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      const lived = await survived(done(dying.billing.exceptions.resolve(context, exception.id, wanted[action])))
      await dying.close()
      const ended = await exceptions.settled(exception)
      expect(ended).toMatchObject({ status: 'resolved', action, resolved_by: 'test' })
      const answer = await done(exceptions.resolve(exception, wanted[action], context))
      expect(answer.id).toBe(exception.id)
      expect(await exceptions.known(exception)).toEqual(ended)
      const isRefund = action === 'refund'
      expect(await exceptions.held(front.other.account)).toBe(before + units(isRefund ? 10 : 0))
      expect(await exceptions.intentsOf(exception)).toHaveLength(isRefund ? 1 : 0)
      expect((await front.checkout(sale.id)).status).toBe(action === 'apply' ? 'completed' : 'open')
      if (lived) break
    }
    expect(deaths).toBe(appends)
  })
})

describe('a worker that dies after any append', () => {
  it('the next worker completes each return once after a crash at any append', async () => {
    let deaths = 0
    for (; deaths < mostAppends; deaths++) {
      const before = [await exceptions.held(front.payer.account), await exceptions.held(front.account)]
      const paid = await front.sell()
      const pay = (parts: ReadonlyArray<number>, memo: string | null) =>
        front.payer.pay({
          to: front.account,
          asset: front.network.usdc.assetId,
          parts: parts.map((each) => units(each)),
          memo,
        })
      const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
      let isAlive = true
      const hashes = [pay([12, 3], paid.id), pay([2], null)]
      for (let ledgers = 0; ledgers < 4; ledgers++) {
        isAlive &&= await survived(done(dying.worker.step))
        if (!isAlive) break
        front.network.wait(1000)
      }
      await dying.close()
      await front.step()
      const about = (await exceptions.all()).filter((each) => hashes.some((hash) => hash === each.transaction_hash))
      const ended = []
      for (const each of about) ended.push(await exceptions.settled(each))
      const outcome = ended.map(({ kind, amount, action }) => `${kind} ${amount} ${action}`).sort()
      expect(outcome).toEqual(['overpaid 2 USDC refund', 'paid_twice 3 USDC refund', 'unmatched 2 USDC refund'])
      for (const each of about) expect(await exceptions.intentsOf(each)).toHaveLength(1)
      const after = [await exceptions.held(front.payer.account), await exceptions.held(front.account)]
      expect(after).toEqual([(before[0] ?? 0n) - units(10), (before[1] ?? 0n) + units(10)])
      if (isAlive) break
      front.network.wait(hourMs)
      await front.step()
    }
    expect(deaths).toBeGreaterThan(12)
    expect(deaths).toBeLessThan(mostAppends)
  })
})
