import { dayMs, LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { reconcile } from '../../books/reconciliation/reconcile.ts'
import { acceptLog } from '../../testing/accept-log.ts'
import { clubIn } from '../../testing/club.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { refundsIn, survived } from '../../testing/refunds.ts'
import { backUp, reopened, restore } from '../../testing/restored.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const mostAppends = 80

const pass = async (front: StoreFront, ledgers = 4): Promise<void> => {
  for (let count = 0; count < ledgers; count++) {
    await front.step()
    front.network.wait(5_000)
  }
  await front.step()
}
const balances = async (front: StoreFront) => {
  const { held } = exceptionsIn(front)
  return [await held(front.payer.account), await held(front.other.account), await held(front.account)]
}

describe('a process that dies while it recovers what the log has lost', () => {
  it('goes on after its death at any append, and recovers everything once', async () => {
    let front = await openStoreFront()
    const club = clubIn(front)
    await club.enrol(await club.join(await club.club(), 'ada@example.com'), front.payer)
    const id = present((await (await front.platform.shown()).subscriptions.all())[0]).id
    // Refunds that share a transaction are told apart by their payers.
    const third = await front.wallets.wallet(3)
    const payments = []
    for (const from of [third, front.other]) payments.push(await refundsIn(front).paid(10, undefined, from))
    const single = await refundsIn(front).paid()
    const backup = backUp(front)
    try {
      await front.pay(null, [units(300)])
      await pass(front)
      for (const payment of payments) await done(refundsIn(front).request(payment))
      await pass(front)
      await refundsIn(front).ended(await done(refundsIn(front).request(single)))
      front.network.wait(31 * dayMs)
      await pass(front)
      const before = await balances(front)

      let deaths = 0
      for (let appends = 1; appends <= mostAppends; appends++) {
        front = await restore(front, backup, 'lost', dyingAfter(appends))
        const isDead = !(await survived(front.step()))
        await front.platform.close()
        front = await reopened(front, backup)
        await pass(front, 1)
        await acceptLog(front)
        await pass(front)
        expect([appends, await balances(front)]).toEqual([appends, before])
        for (const payment of [...payments, single])
          expect(await refundsIn(front).paymentNow(payment)).toMatchObject({ refunded: true })
        expect(await clubIn(front).subscription(id)).toMatchObject({ covered: { kind: 'paid', n: 1 } })
        const request = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
        expect(await done(reconcile(front.services, 'testnet', request))).toMatchObject({ isOk: true, unexplained: [] })
        expect(await front.services.violations.present('testnet')).toEqual([])
        if (!isDead) break
        deaths += 1
      }
      expect(deaths).toBeGreaterThan(20)
      expect(deaths).toBeLessThan(mostAppends)
    } finally {
      await front.close()
    }
  })
})
