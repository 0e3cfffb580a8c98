import { asText, type CheckoutId, CurrencyCode, dayMs, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import type { Wallet } from '../../testing/wallets.ts'

const eur = decoded(CurrencyCode, 'EUR')
let people = 0

describe('price changes', () => {
  let club: Club
  beforeEach(async () => {
    club = await openClub()
  })
  afterEach(() => club.close())

  const ledgers = async (count = 6) => {
    for (let ledger = 0; ledger < count; ledger++) await club.pass()
  }
  const days = async (count: number) => {
    await club.pass(count * dayMs)
    await ledgers()
  }
  const member = async (product: string, trialDays?: number) => {
    const wallet = await club.wallets.wallet(500 + ++people)
    const checkout: CheckoutId = await club.join(product, `m${people}@prices.example`, trialDays)
    await club.enrol(checkout, wallet)
    return { wallet, id: present((await club.checkout(checkout)).subscription_id) }
  }
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const change = (id: string) => done(club.billing.priceChanges.retrieve(club.scope, id))
  const sign = async (id: string, by: Wallet) => {
    const request = present((await shown(id)).authorization.update_url).replace(/^.*\/pay\//, '')
    const { transaction_xdr } = await done(club.billing.payer.transaction(request, by.account))
    await done(club.billing.payer.submit(request, by.sign(transaction_xdr)))
    await ledgers(2)
  }
  const update = (id: string, patch: object) =>
    done(club.billing.products.update(command(club.platform, club.merchantId), id, patch))
  const paid = async (id: string) => present((await shown(id)).last_attempt).amount

  it('leave running subscriptions alone when only the product is changed, in price or asset', async () => {
    const product = await club.club()
    const { id } = await member(product)
    await update(product, { price: { amount: '99', amountCents: null }, assetId: club.network.eurc.assetId })
    await days(31)
    expect(await shown(id)).toMatchObject({ price_amount_cents: 1_000, last_attempt: { amount: '10 USDC' } })
    // Its own product, asked for again, is no way around the notice.
    const patch = { cancelAtPeriodEnd: null, metadata: undefined, productId: product }
    await done(club.billing.subscriptions.update(command(club.platform, club.merchantId), id, patch))
    await days(31)
    expect(await shown(id)).toMatchObject({ price_amount_cents: 1_000, last_attempt: { amount: '10 USDC' } })
  })

  it('tell each subscriber with their progress, and count from the first renewal at their date', async () => {
    const product = await club.club()
    const { id } = await member(product)
    const scheduled = await club.reprice(product, '10.5')
    expect(scheduled).toMatchObject({ status: 'scheduled', price_amount: 10.5, all_noticed: false })
    await ledgers(2)
    expect(await change(scheduled.id)).toMatchObject({ all_noticed: true, progress: { waiting: 1, changed: 0 } })
    expect((await shown(id)).pending_price_change).toMatchObject({ id: scheduled.id, needs_consent: false })
    // Whoever comes later has the price that the product is sold at.
    const { id: later } = await member(product)
    await days(31)
    expect([await paid(id), await paid(later)]).toEqual(['10 USDC', '10 USDC'])
    await days(31)
    expect([await paid(id), await paid(later)]).toEqual(['10.5 USDC', '10 USDC'])
    expect(await shown(id)).toMatchObject({ price_amount_cents: 1_050, pending_price_change: null })
    expect(await change(scheduled.id)).toMatchObject({ progress: { waiting: 0, changed: 1 } })
    const { resources } = await club.billing.priceChanges.subscriptions({
      ...club.scope,
      listedUnder: scheduled.id,
      limit: 10,
    })()
    expect(resources).toMatchObject([{ id, progress: 'changed', update_url: null }])
  })

  it('above the cap charge the new price to those who sign, and the old one to those who do not', async () => {
    const product = await club.club()
    const [one, other] = [await member(product), await member(product)]
    const { id } = await club.reprice(product, '20')
    await ledgers(2)
    expect(await change(id)).toMatchObject({ progress: { awaiting_consent: 2 } })
    await sign(one.id, one.wallet)
    expect(await change(id)).toMatchObject({ progress: { awaiting_consent: 1, waiting: 1 } })
    expect((await shown(one.id)).authorization.cap).toBe('22 USDC')
    await days(31)
    expect([await paid(one.id), await paid(other.id)]).toEqual(['10 USDC', '10 USDC'])
    await days(31)
    expect([await paid(one.id), await paid(other.id)]).toEqual(['20 USDC', '10 USDC'])
    expect(await change(id)).toMatchObject({ progress: { changed: 1, kept: 1 } })
    expect((await shown(other.id)).authorization.update_url).toBeNull()
  })

  it('above the cap cancel those who do not sign, where the merchant chose that', async () => {
    const product = await club.club()
    const { id: subscription } = await member(product)
    const { id } = await club.reprice(product, '20', { withoutConsent: 'cancel' })
    await days(31)
    expect((await shown(subscription)).status).toBe('active')
    const { current_period_end } = await shown(subscription)
    await days(31)
    expect(await shown(subscription)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'price_change',
      canceled_at: current_period_end,
    })
    expect(await paid(subscription)).toBe('10 USDC')
    expect(await change(id)).toMatchObject({ progress: { canceled: 1 } })
  })

  it('in another asset collect it from those who sign, at the old price until their date', async () => {
    const product = await club.club()
    const { id: subscription, wallet } = await member(product)
    const { assetId } = club.network.eurc
    const { id } = await club.reprice(product, '12.5', { assetId })
    await ledgers(2)
    await sign(subscription, wallet)
    expect(await shown(subscription)).toMatchObject({ asset_id: assetId, price_amount_cents: 1_000 })
    await days(31)
    expect(await paid(subscription)).toMatch(/^9\.25\d+ EURC$/)
    await days(31)
    expect(await paid(subscription)).toMatch(/^11\.57\d+ EURC$/)
    expect(await change(id)).toMatchObject({ progress: { changed: 1 } })
  })

  it('in another currency charge what that is worth', async () => {
    const product = await club.club()
    const { id: subscription } = await member(product)
    await club.reprice(product, '9', { currency: eur })
    await days(31)
    await days(31)
    expect(await shown(subscription)).toMatchObject({ currency_code: 'EUR', price_amount_cents: 900 })
  })

  it('that are canceled leave the old price to those who wait, and take nothing back from the others', async () => {
    const product = await club.club()
    const { id: subscription } = await member(product)
    const { id } = await club.reprice(product, '20')
    await ledgers(2)
    const cancel = () => done(club.billing.priceChanges.cancel(command(club.platform, club.merchantId), id))
    expect(await cancel()).toMatchObject({ status: 'canceled' })
    expect(await cancel()).toMatchObject({ status: 'canceled' })
    await ledgers(2)
    expect(await shown(subscription)).toMatchObject({ pending_price_change: null, authorization: { update_url: null } })
    await days(31)
    await days(31)
    expect(await paid(subscription)).toBe('10 USDC')
    expect(await change(id)).toMatchObject({ progress: { dropped: 1, awaiting_consent: 0 } })
  })

  it('are refused without thirty days of notice, for what nobody subscribes to, and for an asset that is not accepted', async () => {
    const schedule = (changed: object) =>
      club.billing.priceChanges.schedule(command(club.platform, club.merchantId), {
        productId: '',
        price: null,
        currency: null,
        assetId: null,
        recurringPeriod: null,
        effectiveAt: unixMs(club.network.now() + 40 * dayMs),
        withoutConsent: 'keep',
        ...changed,
      })
    const product = await club.club()
    const single = await club.club({ type: 'one_time', recurringPeriod: null, name: asText('A book') })
    expect(await refused(schedule({ productId: 'prod_0000000000000000000000' }))).toMatchObject({
      _tag: 'ProductNotFound',
    })
    expect(await refused(schedule({ productId: single }))).toMatchObject({ _tag: 'NotASubscriptionProduct' })
    const soon = unixMs(club.network.now() + 29 * dayMs)
    expect(await refused(schedule({ productId: product, effectiveAt: soon }))).toMatchObject({ _tag: 'NoticeTooShort' })
    expect(await refused(schedule({ productId: product, currency: eur }))).toMatchObject({ _tag: 'AmountMissing' })
    expect(await refused(schedule({ productId: product, assetId: 'ABC:G' }))).toMatchObject({
      _tag: 'AssetNotAccepted',
    })
  })
})
