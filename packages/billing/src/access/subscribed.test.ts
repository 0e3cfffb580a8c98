import {
  asText,
  CustomerId,
  count,
  defaultPolicy,
  type Policy,
  ProductId,
  Subscription,
  SubscriptionId,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { decoded, exampleId } from '@quittance/domain/testing'
import { begun, dayMs } from '@quittance/domain/testing/subscription-examples'
import { type Life, lifeOf } from '@quittance/domain/testing/subscription-life'
import { execute } from '../kernel/execute.ts'
import { done } from '../testing/outcomes.ts'
import { book, command, someone } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'

const none = { has_access: false, grant: null, expires_at: null }

describe('access by a subscription', () => {
  let front: StoreFront
  let subscriptions = 0
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())

  const now = () => command(front.platform, front.merchantId)
  const ago = (days: number): UnixMs => {
    const { at } = now()
    return unixMs(at - (at % 1000) - days * dayMs)
  }

  /** Somebody who subscribed so many days ago, and what has become of it since, in the log at its own times. */
  const subscriber = async (
    days: number,
    then: (life: Life) => void,
    given: { trialDays?: number; policy?: Policy } = {},
  ) => {
    const { services, billing, merchantId } = front
    subscriptions += 1
    const subscriptionId = exampleId(SubscriptionId, subscriptions)
    const sold = {
      ...book(front.network.usdc.assetId),
      type: 'subscription' as const,
      recurringPeriod: 'month' as const,
    }
    const product = await done(billing.products.create(now(), { ...sold, name: asText('Monthly') }))
    const [customer] = await done(billing.customers.createAll(now(), [someone(`s${subscriptions}@example.com`)]))
    const details = begun(ago(days), given)
    const productId = decoded(ProductId, product.id)
    const customerId = decoded(CustomerId, customer?.id)
    const life = lifeOf({ ...details, customerId, terms: { ...details.terms, productId } }, given.policy)
    then(life)
    for (const { command: accepted } of life.accepted) {
      const at = 'at' in accepted ? accepted.at : 'closedAt' in accepted ? accepted.closedAt : details.startedAt
      const context = { ...command(front.platform, merchantId), at }
      await done(execute(services.store)(Subscription, subscriptionId, context, Subscription.decider.decide(accepted)))
    }
    const access = (at?: UnixMs) => done(billing.access(front.scope, customerId, productId, at))
    const by = (status: string, until: UnixMs | null, graceUntil: UnixMs | null = null) => ({
      has_access: true,
      grant: {
        type: 'subscription',
        subscription_id: subscriptionId,
        status,
        grace_until: graceUntil === null ? null : new Date(graceUntil).toISOString(),
      },
      expires_at: until === null ? null : new Date(until).toISOString(),
    })
    return { life, access, by }
  }

  it('grants access from the start of a subscription through its trial and paid periods, each until its end', async () => {
    const { life, access, by } = await subscriber(30, (each) => each.pass(ago(1)), { trialDays: 14 })
    const { start, end } = life.state.covered.period
    expect(await access(ago(31))).toEqual(none)
    expect(await access(ago(30))).toEqual(by('trialing', start))
    expect(await access(start)).toEqual(by('trialing', null))
    expect(await access(unixMs(start + 5000))).toEqual(by('active', end))
    expect(await access()).toEqual(by('active', end))
    expect(await access(end)).toEqual(none)
  })

  it('ends access with the first failed charge that counts, and restores it with the payment', async () => {
    let failures = 0
    const { life, access, by } = await subscriber(60, (each) =>
      each.pass(ago(1), () => (++failures < 5 ? 'balance_too_low' : 'confirmed')),
    )
    const failed = life.history.flatMap(({ type, data }) => (type === 'ChargeFailed' ? [data.failedAt] : []))[0] ?? 0
    const paid = life.history.flatMap(({ type, data }) => (type === 'ChargeConfirmed' ? [data.closedAt] : []))[0] ?? 0
    expect(await access(unixMs(failed - 1))).toEqual(by('active', null))
    expect(await access(unixMs(failed))).toEqual(none)
    expect(await access(unixMs(paid - 1))).toEqual(none)
    expect(await access(unixMs(paid))).toMatchObject({ has_access: true, grant: { status: 'active' } })
  })

  it('continues access during the merchant’s grace days', async () => {
    const policy = { ...defaultPolicy, accessGraceDays: count(2) }
    const { life, access, by } = await subscriber(40, (each) => each.pass(ago(1), () => 'balance_too_low'), { policy })
    const { collection } = life.state
    const graceUntil = collection._tag === 'dunning' ? collection.graceUntil : null
    if (graceUntil === null) throw new Error('no grace was given')
    expect(await access(unixMs(graceUntil - 1))).toEqual(by('active', graceUntil, graceUntil))
    expect(await access(graceUntil)).toEqual(none)
    expect(await access()).toEqual(none)
  })

  it('keeps access of a paused subscription until the end of the paid period', async () => {
    const { life, access, by } = await subscriber(10, (each) => each.give({ type: 'Pause', at: ago(5) }))
    const { end } = life.state.covered.period
    expect(await access(ago(6))).toEqual(by('active', end))
    expect(await access(ago(5))).toEqual(by('paused', end))
    expect(await access()).toEqual(by('paused', end))
    expect(await access(end)).toEqual(none)
  })

  it('ends access when a trial is paused, and when a subscription is canceled at once', async () => {
    const paused = await subscriber(10, (each) => each.give({ type: 'Pause', at: ago(5) }), { trialDays: 14 })
    expect(await paused.access(ago(5))).toEqual(none)
    const canceled = await subscriber(10, (each) => each.give({ type: 'Cancel', when: 'now', at: ago(5) }))
    expect(await canceled.access(ago(5))).toEqual(none)
    expect(await canceled.access(ago(6))).toMatchObject({ has_access: true })
  })

  it('ends access at the boundary of a scheduled cancellation', async () => {
    const { life, access, by } = await subscriber(40, (each) => {
      each.give({ type: 'Cancel', when: 'period_end', at: ago(35) })
      each.pass(ago(1))
    })
    const { end } = life.state.covered.period
    expect(await access(unixMs(end - 1))).toEqual(by('active', end))
    expect(await access(end)).toEqual(none)
    expect(await access()).toEqual(none)
  })
})
