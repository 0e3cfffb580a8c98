import { asText, dayMs, Subscription } from '@quittance/domain'
import { acceptLog } from '../../testing/accept-log.ts'
import { type Club, clubIn, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { backUp, restore } from '../../testing/restored.ts'
import { command } from '../../testing/shop.ts'
import type { Wallet } from '../../testing/wallets.ts'

let people = 0

describe('a price change', () => {
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
    const wallet = await club.wallets.wallet(900 + ++people)
    const checkout = await club.join(product, `f${people}@prices.example`, trialDays)
    await club.enrol(checkout, wallet)
    return { wallet, id: present((await club.checkout(checkout)).subscription_id) }
  }
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const paid = async (id: string) => present((await shown(id)).last_attempt).amount
  const progress = async (id: string) => {
    const counted = (await done(club.billing.priceChanges.retrieve(club.scope, id))).progress
    return Object.fromEntries(Object.entries(counted).filter(([, count]) => count > 0))
  }
  const transactionFor = async (id: string, by: Wallet) => {
    const request = present((await shown(id)).authorization.update_url).replace(/^.*\/pay\//, '')
    const { transaction_xdr } = await done(club.billing.payer.transaction(request, by.account))
    return { request, signed: by.sign(transaction_xdr) }
  }

  it('waits while sales are frozen, ends nobody meanwhile, and cannot be scheduled', async () => {
    const product = await club.club()
    const { id } = await member(product)
    const change = await club.reprice(product, '20', { withoutConsent: 'cancel' })
    await days(31)
    const frozen = { scope: 'sales' as const, merchantId: club.merchantId, by: asText('Ada'), reason: asText('a test') }
    await done(club.billing.freezes.freeze(frozen))
    await days(31)
    expect([await paid(id), (await shown(id)).status]).toEqual(['10 USDC', 'active'])
    expect(await progress(change.id)).toEqual({ awaiting_consent: 1 })
    await expect(club.reprice(product, '30')).rejects.toThrow(/SalesFrozen/)
    await done(club.billing.freezes.unfreeze(frozen))
    await days(31)
    expect(await shown(id)).toMatchObject({ status: 'canceled', cancellation_reason: 'price_change' })
  })

  it('decides nothing while charges are frozen, and charges the new price after that', async () => {
    const product = await club.club()
    const { id } = await member(product)
    const change = await club.reprice(product, '10.5')
    await days(31)
    const frozen = { scope: 'charges' as const, merchantId: null, by: asText('Ada'), reason: asText('a test') }
    await done(club.billing.freezes.freeze(frozen))
    await days(31)
    expect(await progress(change.id)).toEqual({ waiting: 1 })
    await done(club.billing.freezes.unfreeze(frozen))
    await ledgers()
    expect(await paid(id)).toBe('10.5 USDC')
  })

  it('ends with the subscriptions of a merchant who closes', async () => {
    const product = await club.club()
    const { id } = await member(product)
    const change = await club.reprice(product, '20', { withoutConsent: 'cancel' })
    await ledgers(2)
    const destination = await payoutsIn(club).destination(club.other)
    const closing = { destination, refundDays: 90, by: asText('Ada'), reason: asText('the shop ends') }
    await done(club.billing.closeMerchant(command(club.platform, club.merchantId), closing))
    await days(62)
    expect(await progress(change.id)).toEqual({ dropped: 1 })
    expect((await shown(id)).cancellation_reason).toBe('requested')
  })

  it('gives way to the one that is scheduled last', async () => {
    const product = await club.club()
    const { id, wallet } = await member(product)
    const first = await club.reprice(product, '20', { withoutConsent: 'cancel' })
    await ledgers(2)
    const { request, signed } = await transactionFor(id, wallet)
    const second = await club.reprice(product, '10.5')
    await ledgers(2)
    expect([await progress(first.id), await progress(second.id)]).toEqual([{ dropped: 1 }, { waiting: 1 }])
    // What was signed before the customer could know counts as a mandate, and for no price that nobody wants any more.
    await refused(club.billing.payer.submit(request, signed))
    await days(31)
    await days(31)
    expect(await paid(id)).toBe('10.5 USDC')
  })

  it('that a restored log has lost is recovered where the ledger holds its price, and charged to nobody twice', async () => {
    const { id } = await member(await club.club(), 40)
    await ledgers(2)
    const backup = backUp(club)
    await club.reprice((await shown(id)).product_id, '10.5')
    await ledgers(2)
    await days(41)
    expect(await paid(id)).toBe('10.5 USDC')
    club = clubIn(await restore(club, backup, 'lost'))
    await ledgers(1)
    expect(club.billing.log.standing()).toMatchObject({ _tag: 'RolledBack' })
    await acceptLog(club)
    await ledgers()
    expect(await shown(id)).toMatchObject({ price_amount_cents: 1_000, pending_price_change: null, status: 'active' })
    expect(await paid(id)).toBe('10.5 USDC')
    await days(31)
    expect(await paid(id)).toBe('10 USDC')
    const { events } = await done(club.platform.log.readStream(`${Subscription.category}-${id}`))
    const confirmed = events.filter(({ type }) => type === 'ChargeConfirmed')
    expect(confirmed.map(({ data }) => [data.n, data.amount])).toEqual([
      [1, '105000000'],
      [2, '100000000'],
    ])
  })
})
