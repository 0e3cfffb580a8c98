import { hourMs, type RatesAfter } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'

const dayMs = 24 * hourMs

/** A club whose one member paid for November; the renewal falls due on 1 December. */
const clubOf = async (ratesAfter: RatesAfter) => {
  const club = await openClub()
  const { billing, scope, platform, merchantId } = club
  await done(billing.merchants.setPolicy(command(platform, merchantId), { ratesAfter }))
  const wallet = await club.wallets.wallet(1)
  const product = await club.club()
  const checkout = await club.join(product, 'reader@club.example')
  await club.enrol(checkout, wallet)
  const id = present((await club.checkout(checkout)).subscription_id)
  const shown = () => done(billing.subscriptions.retrieve(scope, id))
  const { customer_id } = await shown()
  const isServed = async () => (await done(billing.access(scope, customer_id, product))).has_access
  const ledgers = async () => {
    for (let ledger = 0; ledger < 6; ledger++) await club.pass()
  }
  const days = async (count: number) => {
    for (let day = 0; day < count; day++) {
      await club.pass(dayMs)
      if ((await shown()).last_attempt?.status === 'pending') await ledgers()
    }
  }
  const history = async () => (await done(billing.subscriptions.history(scope, id))).map(({ type }) => type)
  const heard = async () => {
    const { publicEvents } = await platform.shown()
    const page = await publicEvents.page({ ...scope, after: null, type: null, resourceId: null, limit: 100 })
    return page.publicEvents.map(({ type }) => type).filter((type) => /^(subscription|access)/.test(type))
  }
  const lost = () => done(billing.lostRevenues('testnet', merchantId))
  await days(29)
  return { club, id, shown, isServed, days, ledgers, history, heard, lost }
}

describe('rates dead for 100 days', () => {
  let club: Club
  afterEach(() => club.close())

  it('are invoiced after a week, by default too; nobody is served free, and the first rate charges the customer', async () => {
    const member = await clubOf('invoice')
    club = member.club
    club.network.rates.isOut = true
    await member.days(7)
    expect([(await member.shown()).status, await member.isServed()]).toEqual(['active', true])
    await member.days(3)
    expect(await member.shown()).toMatchObject({
      status: 'overdue',
      unsettled_cause: 'no_rate',
      invoice_url: expect.stringContaining('/pay/inv_'),
      access_ends_at: null,
    })
    expect(await member.isServed()).toBe(false)
    await member.days(90)
    expect([(await member.shown()).status, await member.isServed()]).toEqual(['overdue', false])
    club.network.rates.isOut = false
    await member.days(1)
    await member.ledgers()
    expect(await member.shown()).toMatchObject({
      status: 'active',
      unsettled_cause: null,
      last_attempt: { status: 'confirmed', amount: '10 USDC' },
    })
    expect(await member.isServed()).toBe(true)
    expect(await member.lost()).toEqual([{ currency: 'USD', subscriptions: 1, periods: 3, cents: 3_000 }])
    expect((await member.heard()).slice(-4)).toEqual([
      'subscription.overdue',
      'access.revoked',
      'subscription.recovered',
      'access.granted',
    ])
  })

  it('are charged at the last agreed peg, each month, where the merchant chose it', async () => {
    const member = await clubOf('charge_at_peg')
    club = member.club
    club.network.rates.isOut = true
    await member.days(7)
    expect([(await member.shown()).status, await member.isServed()]).toEqual(['active', true])
    await member.days(3)
    await member.ledgers()
    expect(await member.shown()).toMatchObject({
      status: 'active',
      current_period_start: '2026-12-01T00:00:15.000Z',
      last_attempt: { status: 'confirmed', amount: '10 USDC' },
    })
    await member.days(90)
    await member.ledgers()
    expect(await member.shown()).toMatchObject({ status: 'active', current_period_start: '2027-03-01T00:00:15.000Z' })
    const types = await member.history()
    expect(types.filter((type) => type === 'ChargeConfirmed')).toHaveLength(4)
    expect(types).not.toContain('PeriodsForgiven')
    expect(await member.lost()).toEqual([])
  })

  it('pause the subscription after a week where the merchant chose it, until somebody resumes it', async () => {
    const member = await clubOf('pause')
    club = member.club
    club.network.rates.isOut = true
    await member.days(7)
    expect([(await member.shown()).status, await member.isServed()]).toEqual(['active', true])
    await member.days(93)
    expect(await member.shown()).toMatchObject({ status: 'paused', unsettled_cause: 'no_rate', next_renewal_at: null })
    expect(await member.isServed()).toBe(false)
    expect(await member.lost()).toEqual([{ currency: 'USD', subscriptions: 1, periods: 1, cents: 1_000 }])
    expect((await member.heard()).slice(-2)).toEqual(['subscription.paused', 'access.revoked'])
    club.network.rates.isOut = false
    await member.days(1)
    expect((await member.shown()).status).toBe('paused')
    await done(club.billing.subscriptions.resume(command(club.platform, club.merchantId), member.id))
    await member.ledgers()
    expect([(await member.shown()).status, await member.isServed()]).toEqual(['active', true])
  })
})

describe('a peg that is broken for a month', () => {
  let club: Club
  afterEach(() => club.close())

  it('is never charged as if it held, whatever the merchant chose', async () => {
    const member = await clubOf('charge_at_peg')
    club = member.club
    club.network.rates.dollarPercent = 95
    await member.days(7)
    expect([(await member.shown()).status, await member.isServed()]).toEqual(['active', true])
    await member.days(23)
    expect(await member.shown()).toMatchObject({ status: 'overdue', unsettled_cause: 'peg_broken' })
    expect([await member.isServed(), await member.history()]).toEqual([
      false,
      expect.not.arrayContaining(['ChargeAttempted']),
    ])
    club.network.rates.dollarPercent = 100
    await member.days(1)
    await member.ledgers()
    expect(await member.shown()).toMatchObject({ status: 'active', last_attempt: { amount: '10 USDC' } })
  })

  it('does not count as agreed either once the sources are silent', async () => {
    const member = await clubOf('charge_at_peg')
    club = member.club
    club.network.rates.dollarPercent = 95
    await member.days(3)
    club.network.rates.isOut = true
    await member.days(7)
    expect(await member.shown()).toMatchObject({ status: 'overdue', unsettled_cause: 'no_rate' })
  })
})
