import {
  asText,
  count,
  defaultPolicy,
  hourMs,
  LedgerSequence,
  nextStep,
  Subscription,
  type SubscriptionCommand,
  SubscriptionId,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import { execute } from '../../kernel/execute.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { type Subscribers, subscribersOf } from '../../testing/subscribers.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'
import { chargePaymentId } from '../charges/start-charge.ts'
import type { SettlementTrouble } from '../outgoing/trouble.ts'

const policy = defaultPolicy

describe('subscription alarms', () => {
  let front: StoreFront
  let subscribers: Subscribers
  beforeAll(async () => {
    front = await openStoreFront()
    subscribers = await subscribersOf(front)
  })
  afterAll(() => front.close())

  const give = (id: SubscriptionId, at: UnixMs, given: SubscriptionCommand) => {
    const context = { ...command(front.platform, front.merchantId), at }
    return done(execute(front.services.store)(Subscription, id, context, Subscription.decider.decide(given)))
  }
  /** Has the charge that is due at a moment attempted, and nothing else done about it. */
  const attempt = async (id: SubscriptionId, at: UnixMs) => {
    const state = await subscribers.now(id)
    const { price } = state.terms
    const step = nextStep(state, at, policy)
    if (step._tag !== 'attempt_charge') throw new Error(`it wants to ${step._tag}`)
    const { n, k, period, why } = step.charge
    const paymentId = chargePaymentId(front.scope, id, { n, k, dueAt: period.start })
    const charge = { n, k, periodStart: period.start, why, paymentId, price, amount: units(10), rates: [], at }
    await give(id, at, { type: 'AttemptCharge', ...charge })
    return paymentId
  }
  /** Subscribes, and has three charges fail in ledgers and a fourth one stopped, while no worker looks. */
  const stopped = async () => {
    const id = await subscribers.subscribe(front.payer)
    const begins = front.services.clock.now('testnet') + 25 * hourMs
    for (const hours of [0, 1, 2]) {
      const at = unixMs(begins + hours * hourMs)
      const paymentId = await attempt(id, at)
      const includedIn = decoded(LedgerSequence, 900)
      await give(id, at, {
        type: 'FailCharge',
        paymentId,
        cause: 'contract_refused',
        code: null,
        includedIn,
        at,
        policy,
        jitter: 0,
      })
    }
    const at = unixMs(begins + 3 * hourMs)
    const charge = nextStep(await subscribers.now(id), at, policy)
    if (charge._tag !== 'attempt_charge') throw new Error(`it wants to ${charge._tag}`)
    await attempt(id, at)
    front.network.wait(at - front.services.clock.now('testnet'))
    return { id, until: unixMs(at + 24 * hourMs) }
  }
  /** What a worker tells of that begins now, as after a crash of the one before. */
  const raisedAnew = async (): Promise<ReadonlyArray<SettlementTrouble>> => {
    const raised: Array<SettlementTrouble> = []
    const worker = createWorker(front.services, 'testnet', () => undefined, {
      onTrouble: (trouble) => raised.push(trouble),
    })
    await done(present(worker).step)
    return raised
  }
  const standing = () => done(front.billing.subscriptionAlarms.standing('testnet'))
  const allow = (subscriptionId: SubscriptionId) => {
    const { merchantId: _, ...context } = command(front.platform, front.merchantId)
    const decision = { by: asText('Ada'), reason: asText('the contract is well again') }
    return front.billing.subscriptionAlarms.allow(context, { subscriptionId, ...decision })
  }

  it('reports stopped attempts until an operator allows them', async () => {
    const { id, until } = await stopped()
    await front.step()
    const trouble = { _tag: 'AttemptsStopped', subscriptionId: id }
    expect(front.worker.troubles()).toEqual([trouble])
    expect(await raisedAnew()).toEqual([trouble])
    await subscribers.pass()
    expect(front.worker.troubles()).toEqual([trouble])
    expect(await standing()).toEqual([{ ...front.scope, id, status: 'trialing', stuck: null, stoppedUntil: until }])

    expect(await done(allow(id))).toEqual({ status: 'trialing', isNew: true })
    expect(await done(allow(id))).toEqual({ status: 'trialing', isNew: false })
    for (let ledgers = 0; ledgers < 6; ledgers++) await subscribers.pass()
    expect(await subscribers.now(id)).toMatchObject({ status: 'active', covered: { kind: 'paid' }, stoppedUntil: null })
    expect([front.worker.troubles(), await standing(), await raisedAnew()]).toEqual([[], [], []])
  })

  it('reports a charge that is stuck for a day until it ends', async () => {
    const id = await subscribers.subscribe(front.other)
    const due = unixMs(front.services.clock.now('testnet') + 25 * hourMs)
    await give(id, due, { type: 'DelayCharge', jitter: 0, n: count(1), cause: 'no_rate', at: due })
    const alarm = { type: 'AlarmOperator', cause: 'charge_stuck', at: unixMs(due + 24 * hourMs) } as const
    await give(id, alarm.at, alarm)
    await subscribers.pass()
    const trouble = { _tag: 'SubscriptionStuck', subscriptionId: id, cause: 'charge_stuck' }
    expect([front.worker.troubles(), await raisedAnew()]).toEqual([[trouble], [trouble]])
    expect(await standing()).toMatchObject([{ id, stuck: 'charge_stuck', stoppedUntil: null }])
    subscribers.sleepADay()
    front.network.wait(2 * hourMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await subscribers.pass()
    expect((await subscribers.now(id)).covered.kind).toBe('paid')
    expect([front.worker.troubles(), await standing()]).toEqual([[], []])
  })

  it('refuses to allow attempts of an unknown subscription', async () => {
    expect(await allow(exampleId(SubscriptionId, 77))()).toEqual({
      _tag: 'Left',
      left: { _tag: 'SubscriptionNotFound' },
    })
  })
})
