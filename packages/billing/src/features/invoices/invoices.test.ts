import { type AccountId, hourMs, LedgerSequence, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { moneyBreaches } from '../../books/invariants/money-breaches.ts'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
let people = 0

describe('an invoice', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const passDays = async (days: number) => {
    await club.pass(days * dayMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
  }
  const balanceOf = async (account: AccountId) =>
    present(present(await done(club.network.gateway.accountView(account, [club.network.usdc.assetId]))).trustlines[0])
      .balance
  const usdc = (from: Wallet, to: AccountId, amount = units(10), memo: string | null = null) => {
    from.pay({ to, asset: club.network.usdc.assetId, parts: [amount], memo })
    return club.pass()
  }
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const paymentsFor = async (id: string) => {
    await club.platform.shown()
    const { resources } = await club.billing.payments.list({ ...club.scope, limit: 100 })()
    return resources.filter(({ subscription_id, transaction_hash }) => subscription_id === id && transaction_hash)
  }
  /** Somebody whose wallet was empty for a month and 14 days: their subscription, and the id of the invoice. */
  const overdue = async () => {
    const reader = await club.wallets.wallet(80 + ++people)
    const checkout = await club.join(await club.club(), `i${people}@club.example`)
    await club.enrol(checkout, reader)
    const id = present((await club.checkout(checkout)).subscription_id)
    await usdc(reader, club.other.account, await balanceOf(reader.account))
    await passDays(31)
    for (const days of [1, 2, 2, 2, 3, 4, 4]) await passDays(days)
    const { status, invoice_url } = await shown(id)
    expect(status).toBe('overdue')
    return { reader, id, checkout, invoice: present(invoice_url).replace(/^.*\/pay\//, '') }
  }
  const subscription = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`there is no ${id}`)
    return state
  }
  const typesOf = async (id: string) =>
    (await done(club.platform.log.readStream(`subscription-${id}`))).events.map(({ type }) => type)
  const status = (invoice: string) => done(club.billing.payer.status(invoice))
  const ledgers = async (count: number) => {
    for (let passed = 0; passed < count; passed++) await club.pass()
  }

  it('any wallet can pay an invoice with its memo, and the subscription is active again', async () => {
    const { id, invoice, checkout } = await overdue()
    const quote = await done(club.billing.payer.quote(invoice))
    expect(quote).toMatchObject({
      status: 'open',
      memo: await club.memoOf(invoice),
      amount_due: '10',
      destination: club.account,
      mandate: null,
    })
    await usdc(club.payer, club.account, units(10), invoice)
    expect(await shown(id)).toMatchObject({ status: 'active', invoice_url: null, failed_payment_count: 0 })
    expect(await status(invoice)).toMatchObject({ status: 'completed', amount_received: '10' })
    expect(await paymentsFor(id)).toMatchObject([
      { status: 'confirmed', amount: '10 USDC', checkout_id: checkout, transactions: [{ from: club.payer.account }] },
    ])
    const { resources } = await club.billing.checkouts.list({ ...club.scope, limit: 100 })()
    expect(resources.map((each) => each.id)).not.toContain(invoice)
  })

  it('an invoice is paid by the transaction built for a wallet', async () => {
    const { id, invoice } = await overdue()
    const { transaction_xdr, kind } = await done(club.billing.payer.transaction(invoice, club.payer.account))
    expect(kind).toBe('payment')
    const { transaction_hash } = await done(club.billing.payer.submit(invoice, club.payer.sign(transaction_xdr)))
    expect((await paymentsFor(id)).map((each) => each.status)).toEqual(['pending'])
    await club.pass()
    expect(await status(invoice)).toMatchObject({ status: 'completed', transaction_hash })
    expect((await shown(id)).status).toBe('active')
  })

  it('returns the second payment of an invoice', async () => {
    const { id, invoice, checkout } = await overdue()
    await usdc(club.payer, club.account, units(10), invoice)
    const before = await balanceOf(club.payer.account)
    await usdc(club.payer, club.account, units(10), invoice)
    await ledgers(4)
    expect(await balanceOf(club.payer.account)).toBe(before)
    expect(await club.exceptionsOf(checkout)).toEqual([{ kind: 'paid_twice', amount: units(10) }])
    expect((await shown(id)).status).toBe('active')
  })

  it('an underpaid invoice counts each part and stays open, and an excess goes back', async () => {
    const { id, invoice } = await overdue()
    await usdc(club.payer, club.account, units(4), invoice)
    expect(await status(invoice)).toMatchObject({ status: 'open', amount_received: '4', amount_due: '6' })
    expect((await shown(id)).status).toBe('overdue')
    const before = await balanceOf(club.payer.account)
    await usdc(club.payer, club.account, units(7), invoice)
    await ledgers(4)
    expect(await balanceOf(club.payer.account)).toBe(stroops(before - units(6)))
    expect((await shown(id)).status).toBe('active')
    const { payment_id } = await status(invoice)
    const told = await done(
      club.billing.events.list({ ...club.scope, after: null, type: null, resourceId: present(payment_id), limit: 100 }),
    )
    expect(told.resources.map(({ type }) => type)).toEqual([
      'payment.pending',
      'payment.partially_received',
      'payment.confirmed',
      'payment.overpaid',
    ])
  })

  it('an invoice ends once a charge pays its period, and its partial and later payments go back', async () => {
    const { reader, id, invoice, checkout } = await overdue()
    const before = await balanceOf(club.payer.account)
    await usdc(club.payer, club.account, units(4), invoice)
    await usdc(club.other, reader.account, units(100))
    await done(club.billing.subscriptions.retry(command(club.platform, club.merchantId), id))
    await ledgers(6)
    expect((await shown(id)).status).toBe('active')
    expect(await status(invoice)).toMatchObject({ status: 'failed', failure_reason: 'paid_otherwise' })
    await usdc(club.payer, club.account, units(10), invoice)
    await ledgers(6)
    expect(await club.exceptionsOf(checkout)).toEqual([
      { kind: 'underpaid', amount: units(4) },
      { kind: 'paid_twice', amount: units(10) },
    ])
    expect(await balanceOf(club.payer.account)).toBe(before)
  })

  it('when an invoice and a charge pay the same period, the second goes back once and is not refunded too', async () => {
    const { reader, id, invoice, checkout } = await overdue()
    const before = await balanceOf(club.payer.account)
    club.other.pay({ to: reader.account, asset: club.network.usdc.assetId, parts: [units(100)], memo: null })
    await done(club.billing.subscriptions.retry(command(club.platform, club.merchantId), id))
    await club.step()
    expect((await subscription(id)).attempts.at(-1)).toMatchObject({ status: 'under_way', isHandedOver: true })
    await usdc(club.payer, club.account, units(10), invoice)
    await ledgers(6)
    expect((await typesOf(id)).slice(-2)).toEqual(['InvoiceSettled', 'PaymentSetAside'])
    expect(await club.exceptionsOf(checkout)).toEqual([{ kind: 'paid_twice', amount: units(10) }])
    expect([await balanceOf(reader.account), await balanceOf(club.payer.account)]).toEqual([
      units(100),
      stroops(before - units(10)),
    ])
    const aside = present((await subscription(id)).unappliedPayments[0])
    const { payments, ...models } = await club.platform.shown()
    expect(present(await payments.withId(aside)).row.status).toBe('confirmed')
    expect(await moneyBreaches({ ...models, payments }, { category: 'payment', id: aside })).toEqual([])
    const wanted = { paymentId: aside, reason: null, destination: null, metadata: {} }
    expect(await refused(club.billing.refunds.request(command(club.platform, club.merchantId), wanted))).toEqual({
      _tag: 'PaymentSetAside',
    })
    expect((await shown(id)).status).toBe('active')
  })

  it('an invoice is no longer owed after the subscription is canceled', async () => {
    const { id, invoice, checkout } = await overdue()
    await done(club.billing.subscriptions.cancel(command(club.platform, club.merchantId), id, 'period_end'))
    expect(await status(invoice)).toMatchObject({ status: 'failed', failure_reason: 'not_owed' })
    const before = await balanceOf(club.payer.account)
    await usdc(club.payer, club.account, units(10), invoice)
    await ledgers(4)
    expect(await club.exceptionsOf(checkout)).toEqual([{ kind: 'after_failure', amount: units(10) }])
    expect(await balanceOf(club.payer.account)).toBe(before)
    expect(await shown(id)).toMatchObject({ status: 'canceled' })
  })

  it('the books of an invoice match a replay of the ledger', async () => {
    const request = { from: decoded(LedgerSequence, 1), to: null, merchantId: null }
    expect((await done(club.billing.following.reconcile('testnet', request))).isOk).toBe(true)
  })
})
