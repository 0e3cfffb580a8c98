import { count, hourMs, unixMs } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
let people = 0

describe('renewing', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const subscribed = async (trialDays = 0) => {
    const reader = await club.wallets.wallet(40 + ++people)
    const id = await club.join(await club.club({ trialDays: count(trialDays) }), `r${people}@club.example`)
    await club.enrol(id, reader)
    const { subscription_id } = await club.checkout(id)
    return { reader, id: present(subscription_id) }
  }
  const subscription = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`there is no ${id}`)
    return state
  }
  const drain = async (reader: Wallet, { network, other, pass } = club) => {
    const { trustlines } = present(await done(network.gateway.accountView(reader.account, [network.usdc.assetId])))
    reader.pay({
      to: other.account,
      asset: network.usdc.assetId,
      parts: [present(trustlines[0]).spendable],
      memo: null,
    })
    await pass()
  }
  const fund = async (reader: Wallet, { network, other, pass } = club) => {
    other.pay({ to: reader.account, asset: network.usdc.assetId, parts: [units(100)], memo: null })
    await pass()
  }
  const shown = (id: string, { billing, scope } = club) => done(billing.subscriptions.retrieve(scope, id))
  const passDays = async (days: number) => {
    await club.pass(days * dayMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
  }

  it('charges the next period once it has begun, and moves the period on with the ledger that holds the charge', async () => {
    const { id } = await subscribed()
    const before = await shown(id)
    await passDays(28)
    await passDays(3)
    const after = await shown(id)
    expect(after).toMatchObject({
      status: 'active',
      current_period_start: before.current_period_end,
      failed_payment_count: 0,
      last_attempt: { status: 'confirmed', amount: '10 USDC', subscription_id: id },
    })
    expect(unixMs(Date.parse(after.current_period_end))).toBeGreaterThan(Date.parse(before.current_period_end))
    const history = await done(club.billing.subscriptions.history(club.scope, id))
    expect(history.map(({ type }) => type)).toEqual([
      'SubscriptionStarted',
      'RenewalAnnounced',
      'ChargeAttempted',
      'ChargeHandedOver',
      'ChargeConfirmed',
    ])
  })

  it('cancels a subscription at once and for good when its customer is deleted', async () => {
    const { id } = await subscribed()
    const { customer_id, last_attempt } = await shown(id)
    await done(club.billing.customers.remove(command(club.platform, club.merchantId), customer_id))
    expect(await shown(id)).toMatchObject({ status: 'canceled', cancellation_reason: 'customer_deleted' })
    await passDays(31)
    expect(await shown(id)).toMatchObject({ status: 'canceled', last_attempt: { id: last_attempt?.id } })
    const { mandateId } = (await subscription(id)).authorization.mandate
    expect((await subscription(id)).endedMandates).toEqual([mandateId])
  })

  it('makes a subscription without money past due, and charges it as soon as the wallet can pay', async () => {
    const { id, reader } = await subscribed()
    await drain(reader)
    await passDays(28)
    await passDays(3)
    expect(await shown(id)).toMatchObject({
      status: 'past_due',
      failed_payment_count: 1,
      last_attempt: { status: 'failed' },
    })
    await fund(reader)
    await passDays(0)
    expect(await shown(id)).toMatchObject({
      status: 'active',
      failed_payment_count: 0,
      last_attempt: { status: 'confirmed' },
    })
  })

  it('retries by the schedule, lists each attempt by its due time, and stays overdue after the last, even if money comes', async () => {
    const own = await openClub()
    const reader = await own.wallets.wallet(1)
    const checkout = await own.join(await own.club(), 'nobody@club.example')
    await own.enrol(checkout, reader)
    const id = present((await own.checkout(checkout)).subscription_id)
    await drain(reader, own)
    const { customer_id: customerId, current_period_end } = await shown(id, own)
    for (let days = 0; days < 45; days++) await own.pass(dayMs)
    const { resources } = await own.billing.payments.list({ ...own.scope, listedUnder: customerId, limit: 100 })()
    const tries = resources.filter(({ subscription_id }) => subscription_id === id)
    const begun = Date.parse(current_period_end)
    const days = tries.map(({ created_at }) => Math.floor((Date.parse(created_at) - begun) / dayMs))
    expect(days).toEqual([14, 10, 7, 5, 3, 0, 0])
    await fund(reader, own)
    for (let ledgers = 0; ledgers < 6; ledgers++) await own.pass()
    const [failed, overdue] = (await done(own.billing.subscriptions.history(own.scope, id))).slice(-2)
    expect([failed?.type, overdue?.type]).toEqual(['ChargeFailed', 'BecameOverdue'])
    expect(overdue?.occurred_at).toBe(failed?.occurred_at)
    await own.close()
  })

  it('renews all subscriptions of one customer, each from its own wallet, in the same minute', async () => {
    const email = 'collector@club.example'
    const product = await club.club()
    const ids: Array<string> = []
    for (let turn = 0; turn < 12; turn++) {
      const checkout = await club.join(product, email)
      await club.enrol(checkout, await club.wallets.wallet(70 + turn))
      ids.push(present((await club.checkout(checkout)).subscription_id))
    }
    await passDays(32)
    const renewed = await Promise.all(ids.map((id) => shown(id)))
    expect(renewed.map(({ status, last_attempt }) => [status, last_attempt?.status])).toEqual(
      ids.map(() => ['active', 'confirmed']),
    )
  })
})
