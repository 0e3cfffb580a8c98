import { readFileSync } from 'node:fs'
import { hourMs, type JsonObject, positiveCount, type RecordedEvent } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Reads, readsAll } from '../../resources/scopes.ts'
import { type Club, openClub } from '../../testing/club.ts'
import { meteredShop } from '../../testing/metered.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { wantedRefund } from '../../testing/refunds.ts'
import { command, options, someone } from '../../testing/shop.ts'
import { units } from '../../testing/wallets.ts'
import { historyEntry } from './history.ts'
import { places } from './left-out.ts'

const dayMs = 24 * hourMs
const placeOf = new Map<string, unknown>(Object.entries(places))

describe('the export of a customer', () => {
  let club: Club
  let customerId: string
  beforeAll(async () => {
    club = await openClub()
    const [made] = await done(
      club.billing.customers.createAll(now(), [someone('ada@shop.example', 'Ada Byron', '+15550100')]),
    )
    customerId = present(made).id
    await everything()
  }, 120_000)
  afterAll(() => club.close())
  const now = () => command(club.platform, club.merchantId)
  const exported = (reads: Reads = readsAll, most = 100) =>
    club.billing.exportCustomer(club.scope, customerId, reads, most)

  /** One of everything that a customer can have. */
  const everything = async () => {
    const { billing, network, wallets, scope } = club
    await done(billing.customers.update(now(), customerId, { name: 'Ada Lovelace', metadata: { likes: 'engines' } }))
    const reader = await wallets.wallet(40)
    const { transaction } = await done(billing.wallets.start(now(), customerId, reader.account))
    await done(billing.wallets.verify(now(), customerId, reader.sign(transaction)))
    const sale = await club.sell(undefined, { id: customerId, email: null, phone: null })
    await club.pay(sale.id, [units(12)], { from: reader })
    const payment = await club.payment(sale.id)
    await done(billing.refunds.request(now(), wantedRefund(payment)))
    const metered = meteredShop(club)
    const product = await metered.product()
    await metered.buy(customerId, product)
    await club.pass()
    const consumption = { units: positiveCount(3), metadata: { call: 7 } }
    await done(billing.credits.consume(now(), { customerId, productId: product }, consumption))
    const joined = await club.joinAs(await club.club(), customerId)
    await club.enrol(joined, reader)
    const view = present(await done(network.gateway.accountView(reader.account, [network.usdc.assetId])))
    const left = present(view.trustlines[0]).balance
    reader.pay({ to: club.other.account, asset: network.usdc.assetId, parts: [left], memo: null })
    for (const days of [0, 31, 1, 2, 2, 2, 3, 4, 4]) {
      await club.pass(days * dayMs)
      for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    }
    const { subscription_id } = await club.checkout(joined)
    const { invoice_url } = await done(billing.subscriptions.retrieve(scope, present(subscription_id)))
    await club.pay(present(invoice_url).replace(/^.*\/pay\//, ''), [units(10)])
    const { id } = await done(
      billing.checkouts.createForProduct(
        now(),
        (await done(billing.checkouts.retrieve(scope, sale.id))).product_id ?? '',
        options({ id: null, email: 'grace@shop.example', phone: null }),
      ),
    )
    await club.pay(id, [units(10)])
    await club.pass()
  }
  const log = async (): Promise<ReadonlyArray<RecordedEvent>> => {
    const events: Array<RecordedEvent> = []
    for await (const event of club.platform.log.readAll(0n)) events.push(event)
    return events
  }

  it('shows each part as the interface does', async () => {
    const shown = await done(exported())
    const { billing, scope } = club
    const page = { ...scope, limit: 100, listedUnder: customerId }
    expect(shown).toMatchObject({
      object: 'customer_export',
      environment: 'testnet',
      customer: await done(billing.customers.retrieve(scope, customerId)),
      subscriptions: (await billing.subscriptions.list(page)()).resources,
      checkouts: (await billing.checkouts.list(page)()).resources,
      payments: (await billing.payments.list(page)()).resources,
      mandates: [{ ended_at: null, cap: '11 USDC', wallet_address: expect.stringMatching(/^G/) }],
      invoices: [{ status: 'completed', payment_id: expect.stringMatching(/^pay_/) }],
      refunds: [{ status: 'succeeded', reason: 'damaged' }],
      exceptions: [{ kind: 'overpaid', status: 'resolved' }],
      credits: [
        { unit: 'call', balance: 99, transactions: [{ type: 'consumed' }, { type: 'granted' }], has_more: false },
      ],
    })
    expect(shown.customer.wallets.map(({ via }) => via)).toEqual(['proven', 'payment'])
    expect(shown.access?.map(({ has_access, grant }) => [has_access, grant?.type ?? null]).sort()).toEqual([
      [false, null],
      [true, 'one_time'],
      [true, 'subscription'],
    ])
  })

  it('holds every stored event that concerns the customer, or a reason why it does not', async () => {
    const events = await log()
    const concerned = new Set(
      events
        .filter(({ stream, data }) => JSON.stringify([stream, data]).includes(customerId))
        .map(({ stream }) => stream),
    )
    expect(new Set([...concerned].map((stream) => stream.split('-')[0]))).toEqual(
      new Set(['customer', 'reservation', 'checkout', 'invoice', 'payment', 'refund', 'subscription', 'credits']),
    )
    const theirs = events.filter(({ stream }) => concerned.has(stream))
    expect(theirs.filter(({ type }) => !placeOf.has(type))).toEqual([])
    const { history, credits } = await done(exported())
    const named = (of: string, type: string) => `${of} ${type}`
    expect(history.map(({ of, type }) => named(of, type)).sort()).toEqual(
      theirs
        .filter(({ type }) => placeOf.get(type) === 'history')
        .map(({ stream, type }) => named(stream.slice(stream.indexOf('-') + 1), type))
        .sort(),
    )
    expect(credits.flatMap(({ transactions }) => transactions.map(({ id }) => id)).sort()).toEqual(
      theirs
        .filter(({ type }) => placeOf.get(type) === 'credits')
        .map(({ data }) => data.transactionId)
        .sort(),
    )
  })

  it('has a place, or a reason for none, for every event type ever released that names a customer', () => {
    const file = new URL('../../../../domain/src/testing/released-events.json', import.meta.url)
    const released: ReadonlyArray<{ category: string; type: string; data: unknown }> = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const personal = /^(customer|reservation|checkout|invoice|payment|refund|subscription|credits|exception)$/
    const types = released
      .filter(({ category, data }) => personal.test(category) || /cus_/.test(JSON.stringify(data)))
      .map(({ type }) => type)
    expect(types.length).toBeGreaterThan(80)
    expect(types.filter((type) => !placeOf.has(type))).toEqual([])
  })

  it('opens what is sealed, earlier names too, and shows no look-up hash and no other customer', async () => {
    const shown = await done(exported())
    const names = shown.history.flatMap(({ type, data }) =>
      type === 'CustomerCreated' || type === 'CustomerUpdated' ? [data.profile] : [],
    )
    expect(names).toMatchObject([{ name: 'Ada Byron', phone: '+15550100' }, { name: 'Ada Lovelace' }])
    const text = JSON.stringify(shown)
    const hashes = (await log()).flatMap(({ data }) => [data.emailHash, data.phoneHash]).filter((each) => each != null)
    expect(hashes.length).toBeGreaterThan(2)
    expect(hashes.filter((each) => text.includes(String(each)))).toEqual([])
    expect(text).not.toMatch(/grace@shop|retryOffsetMs|envelopeXdr/i)
  })

  it("shows neither the operator's fees nor the free text of a person of the operator", async () => {
    const entry = historyEntry(
      { unseal: async () => O.none },
      () => customerId,
      () => true,
    )
    const shown = async (stream: string, type: string, data: JsonObject) =>
      (await entry({ stream, type, data, metadata: { occurredAt: 0 } } as never)).map((each) => each.data)
    const platformFee = { basisPoints: 250 }
    for (const [stream, type] of [
      ['checkout-a', 'CheckoutCreated'],
      ['payment-a', 'PaymentOpened'],
      ['payment-a', 'PaymentConfirmed'],
      ['subscription-a', 'ChargeAttempted'],
    ] as const)
      expect(await shown(stream, type, { amount: '1', platformFee })).toEqual([{ amount: '1' }])
    expect(await shown('subscription-a', 'AttemptsAllowed', { by: 'Eve', reason: 'She called', period: 1 })).toEqual([
      { period: 1 },
    ])
  })

  it('keeps from a reader what the reader may not read', async () => {
    const nothingElse = await done(exported((family) => family === 'customers'))
    expect(nothingElse).toMatchObject({
      ...{ access: null, subscriptions: null, mandates: null, invoices: null, checkouts: null },
      ...{ payments: null, refunds: null, exceptions: null },
      credits: [{ balance: 99 }],
    })
    expect(new Set(nothingElse.history.map(({ of }) => of))).toEqual(new Set([customerId]))
    const withoutRefunds = await done(exported((family) => family !== 'refunds'))
    expect(withoutRefunds.payments?.flatMap(({ line_items }) => line_items)).toEqual([])
    expect(JSON.stringify(withoutRefunds.history)).not.toMatch(/Refund|"rf_/)
  })

  it('bounds the entries of the books', async () => {
    expect((await done(exported(readsAll, 1))).credits).toMatchObject([
      { transactions: [{ type: 'consumed' }], has_more: true },
    ])
  })

  it('is refused for another merchant, another environment and an unknown customer', async () => {
    const notFound = { _tag: 'CustomerNotFound' }
    const of = (scope: Parameters<typeof club.billing.exportCustomer>[0], id = customerId) =>
      refused(club.billing.exportCustomer(scope, id, readsAll, 1))
    expect(await of({ ...club.scope, merchantId: 'mer_other' })).toEqual(notFound)
    expect(await of({ ...club.scope, environment: 'mainnet' })).toEqual(notFound)
    expect(await of(club.scope, 'cus_none')).toEqual(notFound)
  })

  it('shows when a mandate has ended', async () => {
    const { subscriptions } = await done(exported())
    await done(club.billing.subscriptions.cancel(now(), present(subscriptions?.[0]).id, 'now'))
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
    const { mandates } = await done(exported())
    expect(mandates).toMatchObject([{ ended_at: expect.stringMatching(/^2026-12-/) }])
  })

  it('says of an erased customer since when there is nothing to export', async () => {
    const at = club.network.now()
    await done(club.billing.customers.remove(now(), customerId))
    expect(await exported()()).toEqual(E.left({ _tag: 'CustomerErased', at }))
  })
})
