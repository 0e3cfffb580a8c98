import { cents } from '@quittance/domain'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { done, present } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { refundsIn, survived, wantedRefund } from '../../testing/refunds.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const dayMs = 24 * 3_600_000

let front: StoreFront
let payouts: ReturnType<typeof payoutsIn>
let refunds: ReturnType<typeof refundsIn>
beforeEach(async () => {
  front = await openStoreFront()
  payouts = payoutsIn(front)
  refunds = refundsIn(front)
})
afterEach(() => front.close())

const by = (actor: string, on: TestPlatform = front.platform) => command(on, front.merchantId, { actor })
const limit = (dollars: number) => {
  const amount = cents(BigInt(dollars) * 100n)
  return done(front.billing.limits.set(by('key_a'), { setter: 'merchant', scope: 'merchant', amount }))
}

/** Lets a process die after each append of a work, and answers after how many the work was whole. */
const deathsOf = async (
  round: (dying: TestPlatform) => Promise<(lived: boolean) => Promise<void>>,
  work: (dying: TestPlatform) => Promise<unknown>,
) => {
  for (let deaths = 0; deaths < 30; deaths++) {
    const dying = await openPlatform(front.network, front.folder.path, dyingAfter(deaths + 1))
    const after = await round(dying)
    const lived = await survived(work(dying))
    await dying.close()
    await after(lived)
    if (lived) return deaths
  }
  throw new Error('it does not come to an end')
}

describe('a process that dies after any append', () => {
  it('of a request over the limit leaves one request, one approval, and nothing sent', async () => {
    await payouts.earn(1)
    const destination = await payouts.destination(front.other)
    await limit(5)
    let context = by('key_a')
    const before = await payouts.holds(front.other.account)
    const deaths = await deathsOf(
      async () => {
        context = by('key_a')
        return async () => {
          front.network.wait(6_000)
          await front.step()
          const payout = await done(payouts.request(destination, {}, context))
          expect(await payouts.holds(front.other.account)).toBe(before)
          const approval = await done(front.billing.approvals.retrieve(front.scope, present(payout.approval_id)))
          expect(approval).toMatchObject({ status: 'waiting', subject_id: payout.id, requested_by: 'key_a' })
          await done(front.billing.approvals.reject(by('key_b'), approval.id, null))
          expect(await payouts.balance()).toMatchObject({ available: '10', in_flight: '0' })
        }
      },
      (dying) => done(dying.billing.payouts.request(context, payouts.wanted(destination))),
    )
    // Claimed, requested, judged by the limits, the approval requested.
    expect(deaths).toBe(4)
  })

  it('of an approval sends the payout and the refund once, and of a rejection never', async () => {
    const destination = await payouts.destination(front.other)
    await limit(5)
    for (const decision of ['approve', 'reject'] as const)
      for (const subject of ['payout', 'refund'] as const) {
        let approval = ''
        const deaths = await deathsOf(
          async () => {
            const payment = subject === 'refund' ? await refunds.paid(10, undefined, front.other) : null
            if (payment === null) await payouts.earn(1)
            const before = await payouts.holds(front.other.account)
            const asked =
              payment === null
                ? await done(payouts.request(destination, {}, by('key_a')))
                : await done(refunds.request(payment, {}, by('key_a')))
            approval = present(asked.approval_id)
            return async () => {
              const ended = subject === 'payout' ? await payouts.ended(asked) : await refunds.ended(asked)
              front.network.wait(6_000)
              await front.step()
              const status = (await done(front.billing.approvals.retrieve(front.scope, approval))).status
              const isDecided = status !== 'waiting'
              expect(isDecided).toBe(true)
              expect(ended.status).toBe(decision === 'approve' ? 'succeeded' : 'failed')
              expect((await payouts.holds(front.other.account)) - before).toBe(decision === 'approve' ? units(10) : 0n)
              if (decision === 'reject' && payment === null)
                await done(payouts.request(await payouts.destination(front.payer), {}, by('operator')))
              for (let ledgers = 0; ledgers < 3; ledgers++) {
                front.network.wait(6_000)
                await front.step()
              }
            }
          },
          (dying) => done(dying.billing.approvals[decision](by('key_b', dying), approval, null)),
        )
        expect(deaths).toBeGreaterThanOrEqual(2)
      }
  })

  it('of the step in which nobody has approved in time ends the request once', async () => {
    const payment = await refunds.paid(10, undefined, front.other)
    await limit(5)
    let refund = await done(refunds.request(payment, {}, by('key_a')))
    const deaths = await deathsOf(
      async () => {
        front.network.wait(7 * dayMs)
        return async () => {
          await front.step()
          await front.step()
          expect(await refunds.refundNow(refund)).toMatchObject({ status: 'failed', failure_reason: 'not_approved' })
          refund = await done(front.billing.refunds.request(by('key_a'), wantedRefund(payment)))
        }
      },
      (dying) => done(dying.worker.step),
    )
    expect(deaths).toBeGreaterThanOrEqual(3)
  })
})
