import { dayMs, LedgerSequence } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { reconcile } from '../../books/reconciliation/reconcile.ts'
import { acceptLog } from '../../testing/accept-log.ts'
import { clubIn } from '../../testing/club.ts'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { type Backup, backUp, restore } from '../../testing/restored.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const seed = 20_261_123
const numRuns = 20

type Act =
  | { readonly _tag: 'sale'; readonly amount: number; readonly isOther: boolean }
  | { readonly _tag: 'stray'; readonly amount: number; readonly isOther: boolean }
  | { readonly _tag: 'refund'; readonly which: number }
  | { readonly _tag: 'two refunds'; readonly which: number }
  | { readonly _tag: 'subscribe' | 'month' | 'payout' | 'lost' | 'pass' | 'nothing' }

const tagged = <const Tag extends string, Fields>(_tag: Tag, fields: fc.Arbitrary<Fields>) =>
  fields.map((each) => ({ _tag, ...each }))
const which = fc.nat({ max: 9 })
/** Few amounts and few payers, so that payments are alike. 4 is too little for the sale, 13 too much. */
const paid = fc.record({ amount: fc.constantFrom(10, 10, 10, 4, 13), isOther: fc.boolean() })
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: tagged('sale', paid) },
  { weight: 2, arbitrary: tagged('stray', paid) },
  { weight: 4, arbitrary: tagged('refund', fc.record({ which })) },
  { weight: 2, arbitrary: tagged('two refunds', fc.record({ which })) },
  fc.constantFrom<Act>(
    { _tag: 'subscribe' },
    { _tag: 'month' },
    { _tag: 'payout' },
    { _tag: 'lost' },
    { _tag: 'pass' },
    { _tag: 'nothing' },
  ),
)

/** Lets ledgers close, and the worker see each. */
const pass = async (front: StoreFront, ledgers = 4): Promise<void> => {
  for (let count = 0; count < ledgers; count++) {
    await front.step()
    front.network.wait(5_000)
  }
  await front.step()
}

const confirmed = async (front: StoreFront) =>
  (await (await front.platform.shown()).payments.all()).filter(({ row }) => row.status === 'confirmed')

const act = async (front: StoreFront, doing: Act, subscribers: { count: number }): Promise<void> => {
  const refunds = refundsIn(front)
  const from = (isOther: boolean) => (isOther ? front.other : front.payer)
  switch (doing._tag) {
    case 'sale': {
      const { id } = await front.sell()
      await front.pay(id, [units(doing.amount)], { from: from(doing.isOther) })
      return
    }
    case 'stray':
      await front.pay(null, [units(doing.amount)], { from: from(doing.isOther) })
      return
    case 'refund':
    case 'two refunds': {
      const known = await confirmed(front)
      for (let count = 0; count < (doing._tag === 'refund' ? 1 : 2); count++) {
        const payment = known[(doing.which + count) % Math.max(1, known.length)]
        if (payment !== undefined) await refunds.request(payment)()
      }
      return
    }
    case 'subscribe': {
      const club = clubIn(front)
      subscribers.count += 1
      const product = await club.club({ price: { amount: '2', amountCents: null } })
      await club.enrol(await club.join(product, `s${subscribers.count}@example.com`), front.payer)
      return
    }
    case 'month':
      front.network.wait(31 * dayMs)
      return pass(front, 2)
    case 'payout': {
      const payouts = payoutsIn(front)
      const to =
        (await (await front.platform.shown()).payoutDestinations.all())[0]?.id ??
        (await payouts.destination(front.other))
      await payouts.request(to, { amount: units(3) })()
      return
    }
    case 'lost':
      front.network.faults.losesSubmissions = true
      await front.step()
      front.network.wait(130_000)
      front.network.faults.losesSubmissions = false
      return
    case 'pass':
      return pass(front, 1)
    case 'nothing':
      return
  }
}

/** Until nothing is under way any more, and every session has ended. */
const comeToRest = async (front: StoreFront): Promise<void> => {
  await pass(front)
  front.network.wait(2 * 3_600_000)
  await pass(front, 8)
}

const balances = async (front: StoreFront) => {
  const { held } = exceptionsIn(front)
  return [await held(front.payer.account), await held(front.other.account), await held(front.account)]
}

const restored = async (front: StoreFront, backup: Backup): Promise<StoreFront> => {
  const again = await restore(front, backup, 'kept')
  await pass(again, 1)
  await acceptLog(again)
  await pass(again, 8)
  return again
}

describe('a log that is put back to any moment', () => {
  it('pays and charges nothing twice, and names every stroop', async () => {
    const plan = fc.record({ acts: fc.array(anyAct, { minLength: 6, maxLength: 22 }), at: fc.nat({ max: 21 }) })
    await fc.assert(
      fc.asyncProperty(plan, async ({ acts, at }) => {
        let front = await openStoreFront()
        let backup: Backup | null = null
        try {
          const subscribers = { count: 0 }
          await act(front, { _tag: 'sale', amount: 10, isOther: false }, subscribers)
          for (const [index, doing] of acts.entries()) {
            if (index === at % acts.length) backup = backUp(front)
            await act(front, doing, subscribers)
          }
          // The mark beside the log is durable before bytes leave, and else once a second.
          await act(front, { _tag: 'stray', amount: 7, isOther: false }, subscribers)
          await comeToRest(front)
          const refunded = (await confirmed(front)).flatMap(({ id, row }) =>
            row.status === 'confirmed' && row.refunds.some(({ status }) => status === 'refunded') ? [id] : [],
          )
          const before = await balances(front)
          if (backup === null) throw new Error('no copy was made')

          front = await restored(front, backup)
          expect(await balances(front)).toEqual(before)
          const request = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
          const found = await done(reconcile(front.services, 'testnet', request))
          expect(found).toMatchObject({ isOk: true, missing: [] })
          expect(found.unexplained.filter(({ exception }) => exception === null)).toEqual([])
          expect(await front.services.violations.present('testnet')).toEqual([])

          for (const { id } of (await confirmed(front)).filter((each) => refunded.includes(each.id))) {
            const again = await refundsIn(front).request({ id })()
            expect([id, E.isLeft(again)]).toEqual([id, true])
          }
          await pass(front)
          expect(await balances(front)).toEqual(before)
          front.network.wait(31 * dayMs)
          await pass(front, 6)
          const renewals = (await confirmed(front)).flatMap(({ row: { details } }) =>
            details.subscriptionId === null ? [] : [`${details.subscriptionId} ${details.period}`],
          )
          expect(new Set(renewals).size).toBe(renewals.length)
          expect(await front.services.violations.present('testnet')).toEqual([])
          expect(await done(reconcile(front.services, 'testnet', request))).toMatchObject({ isOk: true })
        } finally {
          await front.close()
        }
      }),
      { seed, numRuns, endOnFailure: true },
    )
  })
})
