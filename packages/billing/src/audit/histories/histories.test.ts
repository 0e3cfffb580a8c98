import { asText, hourMs } from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import { type Club, openClub } from '../../testing/club.ts'
import { openDeliveryStage } from '../../testing/delivery/delivery-stage.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { wantedRefund } from '../../testing/refunds.ts'
import { command, someone } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'
import { gather } from './gather.ts'
import type { HistoryEntry } from './histories.ts'
import type { HistoryKind } from './joins.ts'

const dayMs = 24 * hourMs

type Page = { readonly resources: ReadonlyArray<HistoryEntry>; readonly hasMore: boolean }

/** What a person reads first, without the addresses and hashes, which differ. */
const line = ({ resource, what, why }: HistoryEntry): string =>
  `${resource.object}: ${what}${why === null ? '' : ` (${why})`}`.replaceAll(/[0-9A-Za-z]{4}…[0-9A-Za-z]{4}/g, '…')

describe('the history of a resource', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  }, 60_000)
  afterAll(() => club.close())
  const now = () => command(club.platform, club.merchantId)
  const ofAll = async (kind: HistoryKind, id: string) =>
    (await done(club.billing.histories.of(club.scope, { kind, id }))).resources
  const pass = async (ms = 0) => {
    await club.pass(ms)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
  }
  const empty = async (wallet: Wallet) => {
    const { assetId } = club.network.usdc
    const view = present(await done(club.network.gateway.accountView(wallet.account, [assetId])))
    const left = present(view.trustlines[0]).balance
    wallet.pay({ to: club.other.account, asset: assetId, parts: [left], memo: null })
    await club.pass()
  }
  /** Why an entry is there, back to what no entry has caused. */
  const causes = (entries: ReadonlyArray<HistoryEntry>, entry: HistoryEntry): ReadonlyArray<string> => {
    const before = entries.find(({ id }) => id === entry.cause.entry_id)
    return [entry.type, ...(before === undefined ? [entry.cause.type] : causes(entries, before))]
  }

  it('tells of a sale, its excess and its refund, each with its cause', async () => {
    const sale = await club.sell()
    await club.pay(sale.id, [units(12)])
    const payment = await club.payment(sale.id)
    const refund = await done(club.billing.refunds.request(now(), wantedRefund(payment)))
    await pass()
    const entries = await ofAll('payment', payment.id)
    expect(entries.map(line)).toEqual(
      expect.arrayContaining([
        'checkout: Checkout opened for 10 USD, until 2026-11-02 00:00 UTC',
        'checkout: Price quoted: 10 USDC, until 2026-11-01 00:15 UTC (by 2 observed rates)',
        'checkout: 12 USDC came from …, and counts (a closed ledger holds it)',
        'exception: 2 USDC from … does not fit (more came than was asked for)',
        'payment: Payment of 10 USDC confirmed (a closed ledger holds all of it; 2 USDC too much goes back)',
        'exception: Resolved: it went back',
        'payment: Refund asked for, to … (damaged)',
        'refund: Refund of 10 USDC paid (a closed ledger holds it)',
        'payment: Payment refunded (a closed ledger holds the refund)',
      ]),
    )
    const refunded = present(entries.find(({ type }) => type === 'PaymentRefunded'))
    expect(causes(entries, refunded)).toEqual([
      'PaymentRefunded',
      'RefundSucceeded',
      'IntentSettled',
      'IntentAttached',
      'IntentRecorded',
      'RefundRequested',
      'RefundClaimed',
      'request',
    ])
    const quoted = present(entries.find(({ type }) => type === 'QuoteIssued'))
    expect(quoted).toMatchObject({
      price: { amount: '10', currency: 'USD' },
      amount: '10 USDC',
      rates: [{ pair: expect.any(String), source: expect.any(String) }, {}],
      actor_type: 'service',
    })
    const confirmed = present(entries.find(({ type }) => type === 'PaymentConfirmed'))
    expect(confirmed).toMatchObject({
      status: 'confirmed',
      transaction_hash: payment.transaction_hash,
      amount: '10 USDC',
    })
    const ofRefund = await ofAll('refund', refund.id)
    expect(ofRefund.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'RefundClaimed',
        'RefundRequested',
        'IntentSettled',
        'RefundSucceeded',
        'PaymentRefunded',
      ]),
    )
    expect(new Set(ofRefund.map(({ resource }) => resource.object))).toEqual(
      new Set(['payment', 'refund', 'ledger_movement']),
    )
  })

  it('tells of a renewal that fails, back to the time that had come', async () => {
    const joined = await club.join(await club.club(), 'ada@shop.example')
    const reader = await club.wallets.wallet(40)
    await club.enrol(joined, reader)
    await empty(reader)
    await pass(31 * dayMs)
    const entries = await ofAll('subscription', present((await club.checkout(joined)).subscription_id))
    const failed = present(
      entries.find(({ status, resource }) => resource.object === 'subscription' && status === 'past_due'),
    )
    expect(line(failed)).toMatch(
      /^subscription: Charge for period 1 failed; tried again from .* on \(the customer's balance was too low\)$/,
    )
    expect(causes(entries, failed)).toEqual([
      'ChargeFailed',
      'PaymentFailed',
      'IntentGivenUp',
      'IntentRecorded',
      'PaymentOpened',
      'ChargeAttempted',
      'clock',
    ])
    expect(entries.map(({ type }) => type)).toContain('MandateOffered')
  })

  it('goes page by page, in the order of the log', async () => {
    const sale = await club.sell()
    await club.pay(sale.id, [units(10)])
    const of = { kind: 'checkout', id: sale.id } as const
    const whole = (await done(club.billing.histories.of(club.scope, of))).resources
    const pages: Array<HistoryEntry> = []
    for (let hasMore = true, startingAfter: string | null = null; hasMore; ) {
      const page: Page = await done(club.billing.histories.of(club.scope, of, { limit: 2, startingAfter }))
      pages.push(...page.resources)
      hasMore = page.hasMore
      startingAfter = page.resources.at(-1)?.id ?? null
    }
    expect(pages).toEqual(whole)
    const unknown = club.billing.histories.of(club.scope, of, { limit: 2, startingAfter: 'no entry' })
    expect(await refused(unknown)).toEqual({ _tag: 'EntryNotFound' })
  })

  it('does not exist for another merchant, in another environment, or of an unknown resource', async () => {
    const sale = await club.sell()
    const of = { kind: 'checkout', id: sale.id } as const
    const notFound = { _tag: 'HistoryNotFound', kind: 'checkout' }
    const { histories } = club.billing
    expect(await refused(histories.of({ ...club.scope, merchantId: 'mer_other' }, of))).toEqual(notFound)
    expect(await refused(histories.of({ ...club.scope, environment: 'mainnet' }, of))).toEqual(notFound)
    expect(await refused(histories.of(club.scope, { ...of, id: 'chk_none' }))).toEqual(notFound)
  })

  it('shows a reader nothing of a family that the reader may not read', async () => {
    const sale = await club.sell()
    await club.pay(sale.id, [units(10)])
    const payment = await club.payment(sale.id)
    await done(club.billing.refunds.request(now(), wantedRefund(payment)))
    await pass()
    const of = { kind: 'payment', id: payment.id } as const
    const { resources } = await done(
      club.billing.histories.of(club.scope, of, undefined, (family) => family === 'payments'),
    )
    expect(new Set(resources.map(({ resource }) => resource.object))).toEqual(new Set(['payment']))
  })

  it('tells of a customer and of everybody who was merged into them, and never a name, erased or not', async () => {
    const [ada, twin] = await done(
      club.billing.customers.createAll(now(), [
        someone('ada@one.example', 'Ada Byron'),
        someone('ada@two.example', 'Ada King'),
      ]),
    )
    const sale = await club.sell(undefined, { id: present(twin).id, email: null, phone: null })
    await club.pay(sale.id, [units(10)])
    const merge = { into: present(ada).id, from: present(twin).id, by: asText('Eve'), reason: asText('one person') }
    await done(club.billing.customers.merge(now(), merge))
    const living = await ofAll('customer', present(ada).id)
    expect(living.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'CustomerCreated',
        'CustomersMerged',
        'WalletLinked',
        'CheckoutCreated',
        'PaymentConfirmed',
      ]),
    )
    await done(club.billing.customers.remove(now(), present(ada).id))
    const erased = await ofAll('customer', present(ada).id)
    expect(erased.map(({ type }) => type)).toContain('CustomerDeleted')
    expect(JSON.stringify([living, erased])).not.toMatch(/Ada|Byron|King|@/)
  })

  it('tells of a product, its prices, and of the merchant', async () => {
    const productId = await club.club()
    await club.reprice(productId, '12')
    expect((await ofAll('product', productId)).map(line)).toEqual([
      'product: Product created at 10 USD',
      expect.stringMatching(
        /^price_change: New price for subscribers from .* on: 12 USD \(without consent the old price stays\)$/,
      ),
    ])
    expect((await ofAll('merchant', club.merchantId)).map(({ type }) => type)).toContain('MerchantCreated')
  })

  it('reads each stream once, however many entries it tells', async () => {
    const joined = await club.join(await club.club({ recurringPeriod: 'day' }), 'busy@shop.example')
    await club.enrol(joined, await club.wallets.wallet(41))
    const id = present((await club.checkout(joined)).subscription_id)
    for (let day = 0; day < 3; day++) await pass(dayMs)
    const read: Array<string> = []
    const { store } = club.services
    const reading = (stream: string, ...rest: []) => {
      read.push(stream)
      return store.readStream(stream, ...rest)
    }
    const story = present(
      O.toNullable(
        O.fromEither(
          await gather({ ...club.services, store: { ...store, readStream: reading } }, club.scope, {
            kind: 'subscription',
            id,
          }),
        ),
      ),
    )
    expect(new Set(read).size).toBe(read.length)
    expect(story.map(({ recorded }) => recorded.type).filter((type) => type === 'ChargeConfirmed')).toHaveLength(3)
  })
})

describe('the deliveries that told of an entry', () => {
  it('are named with their endpoint and how they ended', async () => {
    const stage = await openDeliveryStage()
    try {
      const endpoint = await stage.endpointWith()
      const [customer] = await done(stage.billing.customers.createAll(stage.now(), [someone('ada@shop.example')]))
      await stage.deliverer.settle()
      const scope = { merchantId: stage.merchantId, environment: 'testnet' as const }
      const { resources } = await done(
        stage.billing.histories.of(scope, { kind: 'customer', id: present(customer).id }),
      )
      expect(resources).toMatchObject([
        {
          type: 'CustomerCreated',
          deliveries: [{ webhook_id: endpoint.id, event_type: 'customer.created', status: 'delivered', attempts: 1 }],
        },
      ])
    } finally {
      await stage.close()
    }
  })
})
