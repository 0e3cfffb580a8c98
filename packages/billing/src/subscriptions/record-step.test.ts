import {
  defaultPolicy,
  hourMs,
  LedgerSequence,
  nextStep,
  Subscription,
  type SubscriptionCommand,
  type SubscriptionId,
  unixMs,
} from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { chargePaymentId } from '../charges/start-charge.ts'
import { execute } from '../execute.ts'
import type { SettlementTrouble } from '../settlement/trouble.ts'
import { done } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { subscribersOf } from '../testing/subscribers.ts'
import { units } from '../testing/wallets.ts'
import { recordStep } from './record-step.ts'

describe('a charge that reaches a ledger three times in a day and fails', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())

  it('is stopped, and the operator is told at once', async () => {
    const { services, scope, platform, merchantId } = front
    const subscribers = await subscribersOf(front)
    const id: SubscriptionId = await subscribers.subscribe(front.payer)
    const raised: Array<SettlementTrouble> = []
    const policy = defaultPolicy
    let at = unixMs(services.clock.now() + 25 * hourMs)
    /** The charge that is due at `at`. */
    const attempt = async (): Promise<Extract<SubscriptionCommand, { readonly type: 'AttemptCharge' }>> => {
      const step = nextStep(await subscribers.now(id), at, policy)
      if (step._tag !== 'attempt_charge') throw new Error(`it wants to ${step._tag}`)
      const { n, k, period, why } = step.charge
      const paymentId = chargePaymentId(scope, id, { n, k, dueAt: period.start })
      const charge = { n, k, periodStart: period.start, why, paymentId, amount: units(10), rates: [], policy, at }
      return { type: 'AttemptCharge', ...charge }
    }
    const take = async (given: SubscriptionCommand) => {
      const sequence = decoded(LedgerSequence, 1_000)
      const carrying = {
        services,
        walked: { sequence, closedAt: at },
        raise: (each: SettlementTrouble) => raised.push(each),
      }
      const { events } = await done(platform.log.readStream(`${Subscription.category}-${id}`))
      const cause = events.at(-1)?.id ?? id
      const state = await subscribers.now(id)
      return recordStep(carrying, { scope, id, policy, state, cause }, 'attempt')(given)
    }
    for (let failures = 0; failures < 3; failures++) {
      const charge = await attempt()
      await take(charge)
      const { paymentId } = charge
      const context = { ...command(platform, merchantId), at }
      const end = {
        cause: 'contract_refused' as const,
        code: null,
        includedIn: decoded(LedgerSequence, 900),
        at,
        policy,
      }
      const failed = Subscription.decider.decide({ type: 'FailCharge', paymentId, ...end })
      await done(execute(services.store)(Subscription, id, context, failed))
      at = unixMs(at + hourMs)
    }
    expect(raised).toEqual([])
    await take(await attempt())
    expect(raised).toEqual([{ _tag: 'AttemptsStopped', subscriptionId: id }])
    expect((await subscribers.now(id)).stoppedUntil).toBe(at + 24 * hourMs)
  })
})
