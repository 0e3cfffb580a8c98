import { CustomerId, count, hourMs, minuteMs, ProductId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'

const dayMs = 24 * hourMs
let people = 0
const someone = () => `reader-${++people}@club.example`

describe('subscribing', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())
  const wallet = () => club.wallets.wallet(20 + ++people)

  it('settles payment, subscription, credits and checkout from one signature in one ledger', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club({ totalCredits: count(3) }), someone())
    const { kind, mandate } = await club.offered(id, reader)
    expect(kind).toBe('mandate')
    expect(mandate).toEqual({
      contract_id: present(club.network.seen().mandateContract),
      asset_code: 'USDC',
      first_amount: '10',
      owed: '0',
      cap: '11',
      interval: 'month',
      interval_count: 1,
      trial_days: 0,
      trial_ends_at: null,
      replaces: null,
    })
    const hash = await club.enrol(id, reader)
    const { status, payment_id, subscription_id, completed_at, customer_id, product_id } = await club.checkout(id)
    expect(status).toBe('completed')
    const payment = await done(club.billing.payments.retrieve(club.scope, present(payment_id)))
    expect(payment).toMatchObject({
      status: 'confirmed',
      amount: '10 USDC',
      transaction_hash: hash,
      subscription_id: null,
      confirmed_at: completed_at,
      payment_method_details: { address: reader.account },
    })
    const subscription = await club.subscription(present(subscription_id))
    expect(subscription).toMatchObject({ status: 'active' })
    const [customerId, productId] = [decoded(CustomerId, customer_id), decoded(ProductId, product_id)]
    const credits = await done(club.billing.credits.retrieve(club.scope, { customerId, productId }))
    expect(credits).toMatchObject({ granted: 3 })
    expect(await club.exceptionsOf(id)).toEqual([])
  })

  it('recognizes a first payment that was not relayed by its mandate, without an exception', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone())
    const { transaction_xdr } = await club.offered(id, reader)
    await done(club.network.gateway.submit(reader.sign(transaction_xdr)))
    await club.pass()
    expect((await club.checkout(id)).status).toBe('completed')
    expect(await club.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC' })
    const exceptions = await club.exceptions()
    expect(exceptions.filter(({ from }) => from === reader.account)).toEqual([])
  })

  it('starts a trial with the mandate alone, takes no money, and links no wallet to who gave only an email', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club({ trialDays: count(14) }), someone())
    const quote = await done(club.billing.payer.quote(id))
    expect(quote).toMatchObject({ amount: '10', amount_due: '0', sep7_uri: null, mandate: { trial_days: 14 } })
    await club.enrol(id, reader)
    const { status, payment_id, subscription_id, completed_at, customer_id } = await club.checkout(id)
    expect({ status, payment_id }).toEqual({ status: 'completed', payment_id: null })
    const trialEnd = new Date(Date.parse(present(completed_at)) + 14 * dayMs).toISOString()
    const shown = await done(club.billing.payer.status(id))
    expect(shown).toMatchObject({ subscription_id, mandate: { first_amount: '0', trial_ends_at: trialEnd } })
    expect(await club.subscription(present(subscription_id))).toMatchObject({ status: 'trialing' })
    const customer = await done(club.billing.customers.retrieve(club.scope, present(customer_id)))
    expect(customer.wallets).toEqual([])
    expect(await club.payments(id)).toEqual([])
  })

  it('links the wallet of a trial to a customer whom the merchant has named', async () => {
    const reader = await wallet()
    const id = await club.joinNamed(await club.club({ trialDays: count(14) }), someone())
    await club.enrol(id, reader)
    const { customer_id } = await club.checkout(id)
    const { wallets } = await done(club.billing.customers.retrieve(club.scope, present(customer_id)))
    expect(wallets).toMatchObject([{ address: reader.account, via: 'payment' }])
  })

  it('sends the mandate of a trial again when a node drops it silently, until a ledger holds it', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club({ trialDays: count(14) }), someone())
    club.network.sandbox.faults.set({ drop: { times: 2 } })
    await club.enrol(id, reader)
    expect((await club.checkout(id)).status).toBe('open')
    const kept = await club.services.relays.of('testnet')
    expect(kept).toHaveLength(1)
    for (let ledgers = 0; ledgers < 3; ledgers += 1) await club.pass()
    expect((await club.checkout(id)).status).toBe('completed')
    await club.pass()
    expect(await club.services.relays.of('testnet')).toEqual([])
  })

  it('lets the session set other trial days, or none', async () => {
    const productId = await club.club({ trialDays: count(14) })
    const daysOf = async (asked: number) => {
      const { mandate } = await done(club.billing.payer.quote(await club.join(productId, someone(), asked)))
      return mandate?.trial_days
    }
    expect([await daysOf(3), await daysOf(0)]).toEqual([3, 0])
  })

  it('asks for an allowance of one cap per month until it expires, on top of what other mandates need', async () => {
    const reader = await wallet()
    const [one, other] = [await club.join(await club.club(), someone()), await club.join(await club.club(), someone())]
    await club.enrol(one, reader)
    const first = await club.termsOf(one)
    // 3,110,399 ledgers of 5.6 s are 201.6 days: seven months begin in them.
    expect(first.allowance).toBe(first.cap * 7n)
    await club.offered(other, reader)
    const second = await club.termsOf(other)
    expect(second.allowance).toBe(first.allowance - first.firstAmount + second.cap * 7n)
    expect(second.allowanceExpiryLedger).toBeGreaterThanOrEqual(first.allowanceExpiryLedger)
  })

  it('judges a mandate by the quote of its offer, which expires at most two minutes after the quote', async () => {
    const reader = await wallet()
    const { xlm, rates } = club.network
    const id = await club.join(await club.club({ assetId: xlm.assetId }), someone())
    const { valid_until } = await done(club.billing.payer.quote(id))
    club.network.wait(4 * minuteMs)
    const { mandate, expires_at, transaction_xdr } = await club.offered(id, reader)
    // XLM moves: the most that is collected is twice the price of now.
    expect(mandate).toMatchObject({ asset_code: 'XLM', first_amount: '40', cap: '80' })
    expect(Date.parse(expires_at) - Date.parse(present(valid_until))).toBe(2 * minuteMs)
    rates.percent = 95
    await done(club.billing.payer.submit(id, reader.sign(transaction_xdr)))
    await club.pass(2 * minuteMs)
    rates.percent = 100
    expect(await club.payment(id)).toMatchObject({ status: 'confirmed', amount: '40 XLM', overpaid_amount: null })
    expect((await club.checkout(id)).status).toBe('completed')
  })

  it('offers no mandate before the session has a customer', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), null)
    expect(await refused(club.billing.payer.transaction(id, reader.account))).toEqual({ _tag: 'CustomerNeeded' })
    await done(club.billing.payer.attachCustomer(id, { email: someone(), name: null, phone: null }))
    await club.enrol(id, reader)
    expect((await club.checkout(id)).status).toBe('completed')
  })

  it('offers no mandate when the customer was deleted', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone())
    const { customer_id } = await club.checkout(id)
    await done(club.billing.customers.remove(command(club.platform, club.merchantId), present(customer_id)))
    expect(await refused(club.billing.payer.transaction(id, reader.account))).toEqual({ _tag: 'CustomerNotFound' })
  })

  it.each([0, 14])('ends a subscription at once if its customer was deleted (trial of %d days)', async (days) => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone(), days)
    const { transaction_xdr } = await club.offered(id, reader)
    const { customer_id } = await club.checkout(id)
    await done(club.billing.customers.remove(command(club.platform, club.merchantId), present(customer_id)))
    await done(club.billing.payer.submit(id, reader.sign(transaction_xdr)))
    await club.pass()
    const { status, subscription_id, completed_at } = await club.checkout(id)
    expect(status).toBe('completed')
    const subscriptionId = present(subscription_id)
    expect(await done(club.billing.subscriptions.retrieve(club.scope, subscriptionId))).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'customer_deleted',
      canceled_at: completed_at,
      next_renewal_at: null,
    })
    await club.pass()
    await club.pass()
    const history = await done(club.billing.subscriptions.history(club.scope, subscriptionId))
    expect(history.map(({ type }) => type)).toEqual([
      'SubscriptionStarted',
      'SubscriptionCanceled',
      'MandateCancellationSent',
      'MandateEnded',
    ])
  })

  it('offers the same transaction again as long as nothing has changed', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone())
    const first = await club.offered(id, reader)
    club.network.wait(minuteMs)
    expect((await club.offered(id, reader)).transaction_xdr).toBe(first.transaction_xdr)
    expect((await club.state(id)).offers).toHaveLength(1)
  })

  it('offers a new transaction once the quote has changed, the wallet has sent another, or the time to sign is short', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone())
    const bytes = new Set([(await club.offered(id, reader)).transaction_xdr])
    reader.limit(club.network.usdc.assetId, present((await club.termsOf(id)).cap))
    bytes.add((await club.offered(id, reader)).transaction_xdr)
    club.network.wait(5 * minuteMs)
    bytes.add((await club.offered(id, reader)).transaction_xdr)
    club.network.wait(15 * minuteMs)
    bytes.add((await club.offered(id, reader)).transaction_xdr)
    expect(bytes.size).toBe(4)
  })

  it('offers no transaction that would outlive the session', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone())
    club.network.wait(dayMs - 2 * minuteMs)
    const { expires_at } = await club.offered(id, reader)
    const { expires_at: deadline } = await club.checkout(id)
    expect(Date.parse(expires_at)).toBeLessThan(Date.parse(deadline))
    club.network.wait(2 * minuteMs)
    await club.step()
    expect((await club.checkout(id)).status).toBe('expired')
  })

  it('says why a wallet is offered no mandate', async () => {
    const bare = await club.wallets.bareWallet(90)
    const id = await club.join(await club.club(), someone())
    const why = () => refused(club.billing.payer.transaction(id, bare.account))
    expect(await why()).toEqual({ _tag: 'MandateUnfit', because: 'no_trustline' })
    bare.trust(club.network.usdc.assetId)
    expect(await why()).toEqual({ _tag: 'MandateUnfit', because: 'balance_too_low' })
  })

  it('answers a repeated submission with the same hash, before and after its ledger', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone())
    const signed = reader.sign((await club.offered(id, reader)).transaction_xdr)
    const relay = () => done(club.billing.payer.submit(id, signed))
    const first = await relay()
    expect((await club.payment(id)).status).toBe('pending')
    expect(await relay()).toEqual(first)
    await club.pass()
    expect(await relay()).toEqual(first)
    expect(await club.payments(id)).toHaveLength(1)
    expect((await club.checkout(id)).status).toBe('completed')
  })

  it('fails the payment of a transaction that expired, and offers another transaction', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone())
    const signed = reader.sign((await club.offered(id, reader)).transaction_xdr)
    club.network.faults.losesSubmissions = true
    await done(club.billing.payer.submit(id, signed))
    club.network.faults.losesSubmissions = false
    await club.pass(6 * minuteMs)
    expect((await club.payments(id)).map(({ status }) => status)).toEqual(['failed'])
    await club.enrol(id, reader)
    expect((await club.checkout(id)).status).toBe('completed')
    expect((await club.payments(id)).map(({ status }) => status).sort()).toEqual(['confirmed', 'failed'])
  })

  it('accepts a mandate whose fee another account has paid', async () => {
    const reader = await wallet()
    const id = await club.join(await club.club(), someone())
    const signed = reader.sign((await club.offered(id, reader)).transaction_xdr)
    const { envelopeXdr } = club.other.bump(signed)
    await done(club.billing.payer.submit(id, envelopeXdr))
    await club.pass()
    expect((await club.checkout(id)).status).toBe('completed')
  })
})
