import { asText, type CheckoutId, dayMs, LedgerSequence, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { reconcile } from '../../books/reconciliation/reconcile.ts'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

describe('a price campaign over a year', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  let people = 0
  const ledgers = async (count = 6) => {
    for (let ledger = 0; ledger < count; ledger++) await club.pass()
  }
  const members: Array<{ readonly id: string; readonly wallet: Wallet }> = []
  /** Each month as a worker lives it, in two long naps. Everybody renews an approval that runs out. */
  const months = async (count: number) => {
    for (let half = 0; half < 2 * count; half++) {
      await club.pass(15.5 * dayMs)
      await ledgers()
      for (const { id, wallet } of members)
        if ((await shown(id)).authorization.update_reason === 'expiring') await sign(id, wallet)
    }
  }
  const order = () => command(club.platform, club.merchantId)
  const member = async (product: string, trialDays?: number) => {
    const wallet = await club.wallets.wallet(700 + ++people)
    const checkout: CheckoutId = await club.join(product, `y${people}@story.example`, trialDays)
    await club.enrol(checkout, wallet)
    const one = { wallet, id: present((await club.checkout(checkout)).subscription_id) }
    members.push(one)
    return one
  }
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const sign = async (id: string, by: Wallet) => {
    const request = present((await shown(id)).authorization.update_url).replace(/^.*\/pay\//, '')
    const { transaction_xdr } = await done(club.billing.payer.transaction(request, by.account))
    await done(club.billing.payer.submit(request, by.sign(transaction_xdr)))
    await ledgers(2)
  }
  /** What a subscription was charged, payment by payment, the first included, in its asset. */
  const charged = async (id: string) => {
    const page = { ...club.scope, lookupKey: id, limit: 50 }
    const { resources } = await club.billing.payments.list(page)()
    return resources.filter(({ status }) => status === 'confirmed').map(({ amount }) => amount.replace(' USDC', ''))
  }
  const progress = async (id: string) => {
    const counted = (await done(club.billing.priceChanges.retrieve(club.scope, id))).progress
    return Object.fromEntries(Object.entries(counted).filter(([, count]) => count > 0))
  }
  const heard = async () => {
    const { publicEvents } = await club.platform.shown()
    const page = await publicEvents.page({ ...club.scope, after: null, type: null, resourceId: null, limit: 1_000 })
    return page.publicEvents.map(({ type }) => type).filter((type) => type.includes('price_change'))
  }

  it('moves each subscriber once, with notice and consent, and nobody by a change of the product', async () => {
    const product = await club.club()
    const other = await club.club({ name: asText('A smaller club'), price: { amount: '4', amountCents: null } })
    const [signer, silent, pausing, poor, leaving, swapping] = [
      await member(product),
      await member(product),
      await member(product),
      await member(product),
      await member(product),
      await member(product),
    ]
    const trying = await member(product, 90)
    await done(club.billing.products.update(order(), product, { price: { amount: '20', amountCents: null } }))
    const newcomer = await member(product)
    await months(1)

    // To 20 USD, above the cap of 11 USDC, from the third month on.
    const first = await club.reprice(product, '20', { effectiveAt: unixMs(club.network.now() + 45 * dayMs) })
    await ledgers(2)
    expect(await progress(first.id)).toEqual({ awaiting_consent: 7 })
    await sign(signer.id, signer.wallet)
    await sign(pausing.id, pausing.wallet)
    await sign(poor.id, poor.wallet)
    await sign(trying.id, trying.wallet)
    await done(club.billing.subscriptions.pause(order(), pausing.id))
    await done(club.billing.subscriptions.cancel(order(), leaving.id, 'period_end'))
    const swap = { cancelAtPeriodEnd: null, metadata: undefined, productId: other }
    await done(club.billing.subscriptions.update(order(), swapping.id, swap))
    expect(await progress(first.id)).toEqual({ awaiting_consent: 2, waiting: 4, dropped: 1 })
    await months(1)
    expect(await progress(first.id)).toEqual({ awaiting_consent: 1, waiting: 4, dropped: 2 })

    const { assetId } = club.network.usdc
    const all = present(
      (await done(club.network.gateway.balances([{ account: poor.wallet.account, assetId }])))[0],
    ).held
    poor.wallet.pay({ to: club.other.account, asset: assetId, parts: [present(all)], memo: null })
    await months(1)
    expect((await shown(poor.id)).status).toBe('past_due')
    club.other.pay({ to: poor.wallet.account, asset: assetId, parts: [units(500)], memo: null })
    await ledgers()
    await done(club.billing.subscriptions.resume(order(), pausing.id))
    await months(1)
    expect(await progress(first.id)).toEqual({ changed: 4, kept: 1, dropped: 2 })

    // A little dearer, within the caps; a third one is canceled in time.
    const second = await club.reprice(product, '21')
    await ledgers(2)
    const canceled = await club.reprice(product, '99', { withoutConsent: 'cancel' })
    await ledgers(2)
    expect(await progress(second.id)).toEqual({ dropped: 6 })
    await done(club.billing.priceChanges.cancel(order(), canceled.id))
    await ledgers(2)
    expect(await progress(canceled.id)).toEqual({ dropped: 6 })
    await months(2)
    const last = await club.reprice(product, '21', { withoutConsent: 'cancel' })
    await months(6)
    expect(await progress(last.id)).toEqual({ changed: 5, canceled: 1 })

    /** Payments at each price, in order: the trial and the newcomer began at their own. */
    const payments = async ({ id }: { readonly id: string }) =>
      [...Map.groupBy([...(await charged(id))].reverse(), (amount) => amount)].map(([amount, each]) => [
        amount,
        each.length,
      ])
    expect(await payments(signer)).toEqual([
      ['10', 3],
      ['20', 5],
      ['21', 5],
    ])
    expect(await payments(silent)).toEqual([['10', 8]])
    expect(await payments(pausing)).toEqual([
      ['10', 2],
      ['20', 5],
      ['21', 4],
    ])
    expect(await payments(poor)).toEqual([
      ['10', 3],
      ['20', 5],
      ['21', 5],
    ])
    expect(await payments(leaving)).toEqual([['10', 2]])
    expect(await payments(swapping)).toEqual([
      ['10', 2],
      ['4', 11],
    ])
    expect(await payments(trying)).toEqual([
      ['20', 5],
      ['21', 5],
    ])
    expect(await payments(newcomer)).toEqual([
      ['20', 8],
      ['21', 5],
    ])
    expect((await shown(silent.id)).cancellation_reason).toBe('price_change')
    const told = Map.groupBy(await heard(), (type) => type)
    expect(told.get('price_change.scheduled')?.length).toBe(4)
    expect(told.get('price_change.canceled')?.length).toBe(1)
    expect(told.get('subscription.price_change_announced')?.length).toBe(7 + 6 + 6 + 6)
    expect(told.get('subscription.price_change_accepted')?.length).toBe(4)
    expect(told.get('subscription.price_change_withdrawn')?.length).toBe(6)
    const request = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
    expect(await done(reconcile(club.services, 'testnet', request))).toMatchObject({ isOk: true, unexplained: [] })
  }, 120_000)
})
