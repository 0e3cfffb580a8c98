import { count, hourMs, Subscription, stroops } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import type { Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
const decode = decodedBy(Subscription)

describe('preflight of charges that would fail', () => {
  let club: Club
  beforeEach(async () => {
    club = await openClub()
  })
  afterEach(() => club.close())

  const subscribed = async (product: Parameters<Club['club']>[0] = {}) => {
    const reader = await club.wallets.wallet(40)
    const checkout = await club.join(await club.club(product), 'reader@foreseeing.example')
    await club.enrol(checkout, reader)
    const id = present((await club.checkout(checkout)).subscription_id)
    const began = club.network.now()
    return { reader, id, dayOf: (at: number) => Math.floor((at - began) / dayMs) }
  }
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const authorizationOf = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`there is no ${id}`)
    return state.authorization
  }
  const asked = async (id: string) => (await authorizationOf(id)).requested?.authorizationId ?? null
  const factsOf = async (id: string) =>
    (await done(club.platform.log.readStream(`${Subscription.category}-${id}`))).events.map(decode)
  const typesOf = async (id: string) => (await factsOf(id)).map(({ type }) => type)
  const sign = async (request: string, wallet: Wallet) => {
    const { transaction_xdr } = await done(club.billing.payer.transaction(request, wallet.account))
    await done(club.billing.payer.submit(request, wallet.sign(transaction_xdr)))
    await club.pass()
  }
  /** Days go by, ledgers do not: an approval ends on its day by the fault that ends it, and so seems to be none. */
  const passDays = async (id: string, days: number, everyDay: () => Promise<void> = async () => {}) => {
    const { customer } = (await authorizationOf(id)).mandate
    const asset_id = club.network.usdc.assetId
    for (let day = 0; day < days; day++) {
      const { expiresAt } = (await authorizationOf(id)).mandate.approval
      const isOver = club.network.now() + dayMs >= expiresAt
      right(club.network.sandbox.faults.set(isOver ? { expired_allowance: { account: customer, asset_id } } : {}))
      await club.pass(dayMs)
      await everyDay()
    }
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
  }
  /** What merchants are told of the next charge. */
  const upcoming = async (id: string) => {
    await club.platform.shown()
    const all = { ...club.scope, after: null, type: null, resourceId: id, limit: 100 }
    const told = (await done(club.billing.events.list(all))).resources
    return told.findLast(({ type }) => type === 'subscription.renewal_upcoming')?.data
  }

  it('asks twice in a year for another approval, and charges at once if the wallet signs both times', async () => {
    const { id, reader, dayOf } = await subscribed({ recurringPeriod: 'year' })
    await passDays(id, 365, async () => {
      const request = await asked(id)
      if (request !== null) await sign(request, reader)
    })
    const facts = await factsOf(id)
    expect(facts.map(({ type }) => type)).toEqual([
      'SubscriptionStarted',
      ...['ExpiryAnnounced', 'AuthorizationRequested', 'AllowanceSeen'],
      ...['ExpiryAnnounced', 'AuthorizationRequested', 'AllowanceSeen'],
      ...['RenewalAnnounced', 'ChargeAttempted', 'ChargeHandedOver', 'ChargeConfirmed'],
    ])
    const requested = facts.flatMap(({ type, data }) => (type === 'AuthorizationRequested' ? [dayOf(data.at)] : []))
    expect(requested).toEqual([150, 300])
    expect(await shown(id)).toMatchObject({
      status: 'active',
      failed_payment_count: 0,
      authorization: { status: 'active' },
    })
  })

  it('asks for another approval on day 150, and reports the problem in the renewal notice if the customer does nothing', async () => {
    const { id, reader } = await subscribed({ recurringPeriod: 'year' })
    await passDays(id, 151)
    const request = await asked(id)
    await passDays(id, 212)
    const update_url = expect.stringContaining(present(request))
    expect((await factsOf(id)).slice(1)).toMatchObject([
      { type: 'ExpiryAnnounced' },
      { type: 'AuthorizationRequested', data: { kind: 'allowance', why: 'expiring' } },
      { type: 'RenewalAnnounced', data: { problem: 'allowance_too_low' } },
    ])
    expect(await upcoming(id)).toMatchObject({ status: 'active', authorization: { status: 'expired', update_url } })
    await passDays(id, 3)
    expect(await shown(id)).toMatchObject({ status: 'past_due', authorization: { update_url } })
    right(club.network.sandbox.faults.set({}))
    await sign(present(request), reader)
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect(await shown(id)).toMatchObject({ status: 'active', authorization: { status: 'active', update_url: null } })
  })

  it('detects a missing trustline before the charge, and lets another wallet take over in time', async () => {
    const { id, reader } = await subscribed()
    await passDays(id, 20)
    const { assetId } = club.network.usdc
    const { trustlines } = present(await done(club.network.gateway.accountView(reader.account, [assetId])))
    const parts = [present(trustlines[0]).spendable]
    reader.pay({ to: club.other.account, asset: assetId, parts, memo: null })
    reader.limit(assetId, stroops(0n))
    await passDays(id, 8)
    expect((await factsOf(id)).slice(1)).toMatchObject([
      { type: 'AuthorizationRequested', data: { kind: 'mandate', why: 'foreseen' } },
      { type: 'RenewalAnnounced', data: { problem: 'no_trustline' } },
    ])
    const request = present(await asked(id))
    const update_url = expect.stringContaining(request)
    expect(await upcoming(id)).toMatchObject({ status: 'active', authorization: { update_url } })
    await sign(request, club.other)
    await passDays(id, 4)
    expect(await shown(id)).toMatchObject({
      status: 'active',
      failed_payment_count: 0,
      last_attempt: { status: 'confirmed' },
    })
    expect(await typesOf(id)).not.toContain('ChargeFailed')
  })

  it('detects an expired approval before a trial ends, and charges after a new approval', async () => {
    const { id, reader } = await subscribed({ trialDays: count(14) })
    await passDays(id, 8)
    const expired_allowance = { account: reader.account, asset_id: club.network.usdc.assetId }
    right(club.network.sandbox.faults.set({ expired_allowance }))
    for (let day = 8; day < 12; day++) await club.pass(dayMs)
    right(club.network.sandbox.faults.set({}))
    const requested = { type: 'AuthorizationRequested', data: { kind: 'allowance', why: 'foreseen' } }
    expect((await factsOf(id)).slice(1)).toMatchObject([requested, { type: 'TrialEndAnnounced' }])
    await sign(present(await asked(id)), reader)
    await passDays(id, 2)
    expect(await typesOf(id)).toEqual([
      ...['SubscriptionStarted', 'AuthorizationRequested', 'TrialEndAnnounced', 'AllowanceSeen'],
      ...['ChargeAttempted', 'ChargeHandedOver', 'ChargeConfirmed'],
    ])
  })

  it('asks the customer when a resumed subscription cannot be charged, and resumes it once the customer has signed', async () => {
    const { id, reader } = await subscribed()
    const { subscriptions } = club.billing
    const told = () => command(club.platform, club.merchantId)
    const settled = async () => {
      for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    }
    await done(subscriptions.pause(told(), id))
    for (let day = 0; day < 40; day++) await club.pass(dayMs)
    right(
      club.network.sandbox.faults.set({
        expired_allowance: { account: reader.account, asset_id: club.network.usdc.assetId },
      }),
    )
    await done(subscriptions.resume(told(), id))
    await settled()
    right(club.network.sandbox.faults.set({}))
    const request = present(await asked(id))
    expect(await shown(id)).toMatchObject({
      status: 'paused',
      authorization: { status: 'insufficient', update_url: expect.stringContaining(request) },
    })
    await sign(request, reader)
    expect(await shown(id)).toMatchObject({ status: 'paused', authorization: { status: 'active', update_url: null } })
    await done(subscriptions.resume(told(), id))
    await settled()
    expect(await shown(id)).toMatchObject({ status: 'active', failed_payment_count: 0 })
  })
})
