import { createClient } from '@quittance/client'
import type { JournalEntry } from '@quittance/client/wire'
import { clientOf, problem } from '../testing/client.ts'
import { eventually } from '../testing/eventually.ts'
import { openOperator } from '../testing/operator.ts'
import { completed, openSale } from '../testing/sale.ts'
import { type Service, startService } from '../testing/service.ts'
import { overdueSubscription } from '../testing/subscriber.ts'
import { fundedWallet } from '../testing/wallet.ts'

let service: Service
/** A payment, and a time that is between its sale and what happened before. */
let payment: string
let between: string
let stranger: { readonly merchantId: string; readonly secret: string }
beforeAll(async () => {
  service = await startService()
  const usdc = service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''
  const wallet = await fundedWallet(service.facts, [usdc])
  await service.api('/sandbox/advance', { body: { seconds: 60 } })
  between = (await service.api('/sandbox/clock')).body.data.now
  await service.api('/sandbox/advance', { body: { seconds: 60 } })
  const sale = await openSale(service, { amount: 5, currency_code: 'USDC' })
  await wallet.pay(sale)
  payment = (await completed(service, sale.id)).payment_id
  const operator = await openOperator(service.dataDir)
  stranger = await operator.createMerchant('Next door')
  await operator.close()
}, 30_000)
afterAll(() => service.close())

const books = () => createClient({ baseUrl: service.url, apiKey: service.facts.api_key }).reports
const all = async <A>(list: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const each of list) found.push(each)
  return found
}
const sumsOf = ({ postings }: JournalEntry): ReadonlyArray<number> => {
  const sums = new Map<string | null, number>()
  for (const { asset_id, currency, amount } of postings) {
    const commodity = asset_id ?? currency
    sums.set(commodity, (sums.get(commodity) ?? 0) + Number(amount.replace('.', '')))
  }
  return [...sums.values()]
}

describe('the journal', () => {
  it('shows a sale as entries that balance, and name their event and transaction', async () => {
    const { status, body } = await service.api('/reports/journal?limit=100')
    expect([status, body.data.object, body.data.url]).toEqual([200, 'list', '/reports/journal'])
    const received = body.data.data.find(({ kind }: JournalEntry) => kind === 'payment_received')
    const usdc = { asset_id: service.facts.assets.find(({ code }) => code === 'USDC')?.asset_id, currency: null }
    expect(received).toMatchObject({
      object: 'journal_entry',
      subject: payment,
      event: { type: 'PaymentCredited', stream: `payment-${payment}` },
      postings: [
        { account: 'Assets:Settlement', ...usdc, amount: '5.0000000' },
        { account: 'Liabilities:Incoming payments', ...usdc, amount: '-5.0000000' },
      ],
    })
    expect(received.transaction_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(body.data.data.flatMap(sumsOf).filter((sum: number) => sum !== 0)).toEqual([])
  })

  it('is whole, page by page, and so are its parts before and after a time', async () => {
    const whole = await all(books().journal())
    expect(whole.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['account_opened', 'payment_received', 'payment_confirmed']),
    )
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length)
    expect(await all(books().journal({ limit: 1 }))).toEqual(whole)
    const before = await all(books().journal({ to: between }))
    const after = await all(books().journal({ from: new Date(between), limit: 2 }))
    expect([before.length > 0, after.length > 0]).toEqual([true, true])
    expect([...before, ...after]).toEqual(whole)
    const first = await books().journal({ limit: 2 }).page()
    expect(first).toMatchObject({ data: whole.slice(0, 2), has_more: true })
    const second = await books()
      .journal({ limit: 1, starting_after: first.next ?? '' })
      .page()
    expect(second.data).toEqual(whole.slice(2, 3))
  })

  it("never shows another merchant's entries, and takes no cursor of another merchant", async () => {
    const own = await books().journal({ limit: 1 }).page()
    const other = clientOf(service.url, stranger.secret)
    const strangers = (await other('/reports/journal?limit=100')).body.data
    const ids = new Set((await all(books().journal())).map(({ id }) => id))
    expect(strangers.data.filter(({ id }: JournalEntry) => ids.has(id))).toEqual([])
    expect(JSON.stringify(strangers)).not.toContain(payment)
    const cursor = { status: 400, body: problem('invalid_request', 'starting_after') }
    expect(await other(`/reports/journal?starting_after=${own.next}`)).toMatchObject(cursor)
    for (const made of ['1', `1_${'0'.repeat(24)}`, '_', `9${own.next}`])
      expect(await service.api(`/reports/journal?starting_after=${made}`)).toMatchObject(cursor)
  })

  it('refuses times that are none, and a range that ends before it begins', async () => {
    for (const [query, param] of [
      ['from=yesterday', 'from'],
      ['to=2026-02-30T00:00:00Z', 'to'],
      [`from=${between}&to=${between}`, 'to'],
      [`from=${between}&to=2020-01-01T00:00:00Z`, 'to'],
      ['limit=101', 'limit'],
    ] as const)
      expect(await service.api(`/reports/journal?${query}`)).toMatchObject({
        status: 400,
        body: problem('invalid_request', param),
      })
  })
})

describe('the summary', () => {
  it('counts a sale in an asset on its day, and is whole for a merchant who has little', async () => {
    const { status, body } = await service.api('/reports/summary')
    const [sales] = body.data.revenue
    expect([status, body.data.revenue.length, sales.days.length]).toEqual([200, 1, 30])
    expect(sales).toMatchObject({ currency_code: 'USDC', is_asset: true, amount: '5', payments: 1 })
    expect(sales.days.filter(({ payments }: { readonly payments: number }) => payments > 0)).toEqual([
      { date: between.slice(0, 10), amount: '5', payments: 1 },
    ])
    expect(body.data).toMatchObject({
      subscriptions: { trialing: 0, active: 0, past_due: 0, overdue: 0, paused: 0 },
      monthly_recurring: [],
      canceled: 0,
      churn: null,
      renewals: { renewed: 0, failed: 0, recovered: 0 },
      exceptions_open: 0,
      is_complete: true,
    })
  })

  it('counts a subscription that failed once, however often that is told, and its recovery', async () => {
    const id = await overdueSubscription(service, 'late@example.com')
    const renewals = async () => (await service.api('/reports/summary')).body.data.renewals
    const told = (await service.api(`/events?resource_id=${id}&type=subscription.past_due`)).body.data.data
    expect([told.length, await renewals()]).toEqual([2, { renewed: 0, failed: 1, recovered: 0 }])
    const { invoice_url } = (await service.api(`/subscriptions/${id}`)).body.data
    await service.api('/sandbox/pay', { body: { checkout_id: invoice_url.replace(/^.*\/pay\//, '') } })
    await eventually(renewals, ({ recovered }) => recovered === 1)
    expect(await renewals()).toEqual({ renewed: 0, failed: 1, recovered: 1 })
  }, 60_000)

  it('shows nothing of another merchant', async () => {
    const { body } = await clientOf(service.url, stranger.secret)('/reports/summary')
    expect([body.data.revenue, body.data.is_complete]).toEqual([[], true])
  })
})
