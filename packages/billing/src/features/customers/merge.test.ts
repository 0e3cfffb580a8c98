import { asText, Customer, count, type EventType, hourMs, positiveCount } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { execute } from '../../kernel/execute.ts'
import { readsAll } from '../../resources/scopes.ts'
import { type Club, openClub } from '../../testing/club.ts'
import { meteredShop } from '../../testing/metered.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { wantedRefund } from '../../testing/refunds.ts'
import { book, command, openShop, options, someone } from '../../testing/shop.ts'
import { units } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
let people = 0
const decision = { by: asText('Ada'), reason: asText('signed with both wallets') }

describe('merging two customers', () => {
  let club: Club
  let metered: ReturnType<typeof meteredShop>
  beforeAll(async () => {
    club = await openClub()
    metered = meteredShop(club)
  })
  afterAll(() => club.close())

  const now = () => command(club.platform, club.merchantId)
  const wallet = () => club.wallets.wallet(20 + ++people)
  const email = () => `person-${++people}@one.example`
  const customer = async (of: string | null = email(), phone: string | null = null): Promise<string> =>
    present((await done(club.billing.customers.createAll(now(), [someone(of, 'Ada Lovelace', phone)])))[0]).id
  const merge = (from: string, into: string, context = now()) =>
    club.billing.customers.merge(context, { from, into, ...decision })
  const retrieved = (id: string) => done(club.billing.customers.retrieve(club.scope, id))
  const access = (id: string, productId: string) => done(club.billing.access(club.scope, id, productId))
  const prove = async (id: string) => {
    const owned = await wallet()
    const { transaction } = await done(club.billing.wallets.start(now(), id, owned.account))
    await done(club.billing.wallets.verify(now(), id, owned.sign(transaction)))
    return owned
  }
  const bookProduct = async () => (await done(club.billing.products.create(now(), book(club.network.usdc.assetId)))).id
  const buy = async (id: string, productId: string, amount = 10): Promise<string> => {
    const session = await metered.open(id, productId)
    await club.pay(session, [units(amount)])
    return present((await club.checkout(session)).payment_id)
  }
  const subscribe = async (id: string, productId: string) => {
    const session = await club.joinAs(productId, id)
    await club.enrol(session, await wallet())
    return present((await club.checkout(session)).subscription_id)
  }
  const paymentsOf = async (listedUnder: string) =>
    (await club.billing.payments.list({ ...club.scope, listedUnder, limit: 50 })()).resources.map(({ id }) => id)
  const events = async (type: EventType) => {
    const request = { ...club.scope, type, after: null, resourceId: null, limit: 100 }
    return (await done(club.billing.events.list(request))).resources
  }

  it('gives the one that remains everything of both, by either id', async () => {
    const [from, into] = [await customer(), await customer()]
    const [novel, journal, other] = [await bookProduct(), await club.club(), await bookProduct()]
    const [bought, subscription] = [await buy(from, novel), await subscribe(from, journal)]
    const own = await buy(into, other)
    const answer = { object: 'customer_merge', customer_id: into, merged_customer_id: from }
    expect(await done(merge(from, into))).toEqual(answer)
    for (const id of [from, into]) {
      expect(await access(id, novel)).toMatchObject({ has_access: true, grant: { payment_id: bought } })
      expect(await access(id, journal)).toMatchObject({ has_access: true, grant: { subscription_id: subscription } })
      expect(await access(id, other)).toMatchObject({ has_access: true, grant: { payment_id: own } })
      expect(await paymentsOf(id)).toHaveLength(3)
      expect(await paymentsOf(id)).toEqual(expect.arrayContaining([bought, own]))
    }
    expect(await retrieved(from)).toMatchObject({ id: from, merged_into: into })
    expect(await retrieved(into)).toMatchObject({ id: into, merged_into: null })
    expect(await done(merge(from, into))).toEqual(answer)
    const { events: merges } = await done(
      club.platform.log.readStream(`customer_merges-${club.merchantId}/${club.scope.environment}`),
    )
    expect(merges.filter(({ data }) => data.from === from)).toHaveLength(1)
  })

  it('sells to the one that remains, whichever id, email or phone is named', async () => {
    const [first, second] = [email(), email()]
    const [from, into] = [await customer(first, '+15550123'), await customer(second)]
    await done(merge(from, into))
    const productId = await bookProduct()
    const buyer = async (named: Partial<{ id: string; email: string; phone: string }>) => {
      const wanted = options({ id: null, email: null, phone: null, ...named })
      const { id } = await done(club.billing.checkouts.createForProduct(now(), productId, wanted))
      return (await club.checkout(id)).customer_id
    }
    expect(await buyer({ id: from })).toBe(into)
    expect(await buyer({ email: first })).toBe(into)
    expect(await buyer({ phone: '+1 555 0123' })).toBe(into)
    expect(await buyer({ email: second })).toBe(into)
  })

  it('adds up credits, and consumes them together although neither had enough', async () => {
    const [from, into] = [await customer(), await customer()]
    const productId = await metered.product({ credits: 5, perCredit: 1 })
    const [older, newer] = [await metered.buy(from, productId), await metered.buy(into, productId)]
    await done(merge(from, into))
    for (const customerId of [from, into])
      expect(await done(club.billing.credits.retrieve(club.scope, { customerId, productId }))).toMatchObject({
        granted: 10,
        balance: 10,
      })
    const consume = (customerId: string, wanted: number, context = now()) =>
      club.billing.credits.consume(context, { customerId, productId }, { units: positiveCount(wanted), metadata: {} })
    const context = now()
    expect(await done(consume(from, 7, context))).toMatchObject({ consumed: 7, balance: 3 })
    expect(await done(consume(from, 7, context))).toMatchObject({ consumed: 7, balance: 3 })
    expect(await refused(consume(into, 4))).toMatchObject({ _tag: 'InsufficientCredits', left: 3n })
    const refund = (id: string) => club.billing.refunds.request(now(), wantedRefund({ id }))
    expect(await refused(refund(older))).toMatchObject({ _tag: 'CreditsSpent' })
    expect(await refused(refund(newer))).toMatchObject({ _tag: 'CreditsSpent' })
    const third = await metered.buy(from, productId)
    expect(await done(consume(into, 3))).toMatchObject({ balance: 5 })
    await done(refund(third))
    expect(await done(club.billing.credits.retrieve(club.scope, { customerId: from, productId }))).toMatchObject({
      balance: 0,
    })
    expect(await access(into, productId)).toMatchObject({ has_access: false })
  })

  it('refuses while both have a subscription of a product that allows one', async () => {
    const [from, into, productId] = [await customer(), await customer(), await club.club()]
    const [one, two] = [await subscribe(from, productId), await subscribe(into, productId)]
    expect(await refused(merge(from, into))).toEqual({ _tag: 'SubscribedTwice', subscriptionIds: [one, two] })
    await done(club.billing.subscriptions.cancel(now(), one, 'now'))
    await done(merge(from, into))
    expect(await access(from, productId)).toMatchObject({ grant: { subscription_id: two } })
  })

  it('allows two subscriptions of a product that allows several', async () => {
    const [from, into, productId] = [await customer(), await customer(), await club.club()]
    await subscribe(from, productId)
    await subscribe(into, productId)
    await done(club.billing.products.update(now(), productId, { allowsMultipleSubscriptions: true }))
    await done(merge(from, into))
  })

  it('counts a subscription of either as the one that a product allows, and a trial of either as had', async () => {
    const [from, into] = [await customer(), await customer()]
    const [plain, trial] = [await club.club(), await club.club({ trialDays: count(7) })]
    const subscription = await subscribe(from, plain)
    await done(club.billing.subscriptions.cancel(now(), await subscribe(from, trial), 'now'))
    await done(merge(from, into))
    const again = club.billing.checkouts.createForProduct(now(), plain, options({ id: into, email: null, phone: null }))
    expect(await refused(again)).toEqual({ _tag: 'AlreadySubscribed', subscriptionId: subscription })
    const session = await club.joinAs(trial, into)
    expect(await club.offered(session, await wallet())).toMatchObject({ mandate: { trial_days: 0 } })
  })

  it.each([
    ['an unknown one', async () => 'cus_unknown'],
    [
      'one that was deleted',
      async () => {
        const id = await customer()
        await done(club.billing.customers.remove(now(), id))
        return id
      },
    ],
    [
      'one of another merchant',
      async () => {
        const foreign = command(club.platform, await openShop(club.platform))
        return present((await done(club.billing.customers.createAll(foreign, [someone(email())])))[0]).id
      },
    ],
    [
      'one of the other environment',
      async () => {
        const elsewhere = command(club.platform, club.merchantId, { environment: 'mainnet' })
        return present((await done(club.billing.customers.createAll(elsewhere, [someone(email())])))[0]).id
      },
    ],
  ])('knows no customer that is %s, on either side', async (_, make) => {
    const [own, id] = [await customer(), await make()]
    for (const refusal of [merge(id, own), merge(own, id)])
      expect(await refused(refusal)).toEqual({ _tag: 'CustomerNotFound' })
  })

  it('refuses a customer and itself, and one that was merged before', async () => {
    const [one, two, three] = [await customer(), await customer(), await customer()]
    expect(await refused(merge(one, one))).toEqual({ _tag: 'SameCustomer' })
    await done(merge(one, two))
    const merged = { _tag: 'CustomerIsMerged', customerId: one, into: two }
    for (const refusal of [merge(two, one), merge(three, one), merge(one, three)])
      expect(await refused(refusal)).toEqual(merged)
    await done(merge(two, three))
    expect((await retrieved(one)).merged_into).toBe(three)
  })

  it('decides opposite merges at once one after the other: one is refused', async () => {
    const [one, two] = [await customer(), await customer()]
    const outcomes = await Promise.all([merge(one, two)(), merge(two, one)()])
    expect(outcomes.filter(E.isRight)).toHaveLength(1)
    expect(outcomes.filter(E.isLeft).map(({ left }) => left._tag)).toEqual(['CustomerIsMerged'])
  })

  it('publishes the merge, and access of the one that remains', async () => {
    const [from, into, productId] = [await customer(), await customer(), await bookProduct()]
    const payment = await buy(from, productId)
    await done(merge(from, into))
    await buy(into, productId)
    await done(club.billing.refunds.request(now(), wantedRefund({ id: payment })))
    for (let steps = 0; steps < 6; steps++) await club.pass()
    const found = await events('customer.merged')
    expect(found.filter((each) => each.resource_id === from)).toMatchObject([{ data: { id: from, merged_into: into } }])
    const revoked = (await events('access.revoked')).filter((each) => each.resource_id.endsWith(productId))
    expect(revoked).toEqual([])
    expect(await access(from, productId)).toMatchObject({ has_access: true })
  })

  it('sells to both by either id beside either email, and to neither beside another', async () => {
    const [one, two] = [email(), email()]
    const [from, into] = [await customer(one), await customer(two)]
    const productId = await bookProduct()
    const sell = (id: string, beside: string) => {
      const buyer = { customer: { id, email: beside, phone: null } }
      return club.billing.checkouts.createForProduct(now(), productId, { ...options(), ...buyer })
    }
    expect(await refused(sell(from, two))).toEqual({ _tag: 'EmailOfAnother', customerId: from })
    await done(merge(from, into))
    for (const [id, beside] of [
      [from, one],
      [from, two],
      [into, one],
      [into, ` ${two.toUpperCase()} `],
    ] as const)
      expect((await done(sell(id, beside))).customer_id).toBe(into)
    expect(await refused(sell(into, email()))).toEqual({ _tag: 'EmailOfAnother', customerId: into })
    const nameless = await customer(null, '+49 30 1234567')
    expect(await refused(sell(nameless, email()))).toEqual({ _tag: 'EmailOfAnother', customerId: nameless })
  })

  it('opens one portal for both: by either id, wallet and session', async () => {
    const [from, into] = [await customer(), await customer()]
    const proven = await prove(from)
    const { portal } = club.billing
    const early = present(await portal.enter((await done(portal.open(now(), from))).token))
    const subscription = await subscribe(from, await club.club())
    await done(merge(from, into))
    const { transaction } = await done(portal.challenge(now(), proven.account))
    const byWallet = await done(portal.openByWallet(now(), proven.sign(transaction), null))
    for (const secret of [early, present(await portal.enter(byWallet.token))]) {
      const visitor = present(await portal.visitor(secret))
      expect(visitor.customerId).toBe(into)
      const view = await done(portal.view(visitor, { subscriptions: null, payments: null }))
      expect(view.subscriptions.map(({ id }) => id)).toEqual([subscription])
      expect(view.wallets.map(({ address }) => address)).toEqual([proven.account])
      await done(portal.change(visitor, subscription, 'pause'))
    }
    const { wallets } = await retrieved(from)
    const linked = wallets.find(({ address }) => address === proven.account)
    await done(club.billing.wallets.remove(now(), into, present(linked).id))
    expect((await retrieved(from)).wallets).toEqual(wallets.filter((each) => each !== linked))
  })

  it('exports both as one, with the names and addresses of both', async () => {
    const [first, second] = [email(), email()]
    const [from, into, productId] = [await customer(first), await customer(second), await bookProduct()]
    const payment = await buy(from, productId)
    await done(merge(from, into))
    for (const id of [from, into]) {
      const exported = await done(club.billing.exportCustomer(club.scope, id, readsAll, 100))
      expect(exported).toMatchObject({
        customer: { id: into, email: second, merged_into: null },
        merged_customers: [{ id: from, email: first, merged_into: into }],
        payments: [{ id: payment, billing_details: { email: first } }],
      })
      const opened = exported.history.flatMap(({ data }) => [data.profile, data.billingDetails])
      expect(JSON.stringify(opened)).toContain(first)
      expect(JSON.stringify(opened)).toContain(second)
    }
  })

  it('erases the person whole, and only by the id that remains', async () => {
    const [first, second] = [email(), email()]
    const [from, into, productId] = [await customer(first), await customer(second), await bookProduct()]
    const payment = await buy(from, productId)
    const subscription = await subscribe(from, await club.club())
    await done(merge(from, into))
    expect(await refused(club.billing.customers.remove(now(), from))).toEqual({
      _tag: 'CustomerIsMerged',
      customerId: from,
      into,
    })
    await done(club.billing.customers.remove(now(), into))
    for (const id of [from, into]) {
      expect(await refused(club.billing.customers.retrieve(club.scope, id))).toEqual({ _tag: 'CustomerNotFound' })
      expect(await club.services.vault.erased()).toContain(id)
      expect(await refused(club.billing.exportCustomer(club.scope, id, readsAll, 100))).toMatchObject({
        _tag: 'CustomerErased',
      })
    }
    expect(await club.subscription(subscription)).toMatchObject({ lifecycle: { _tag: 'canceled' } })
    const { resources } = await club.billing.payments.list({ ...club.scope, listedUnder: from, limit: 9 })()
    expect(resources.find(({ id }) => id === payment)).toMatchObject({ billing_details: null })
    expect(await customer(first)).not.toBe(from)
  })

  it('lets what is under way end as it began: a session that is open, and a renewal', async () => {
    const [from, into, productId] = [await customer(), await customer(), await metered.product()]
    const subscription = await subscribe(from, await club.club({ recurringPeriod: 'day' }))
    const session = await metered.open(from, productId)
    await done(merge(from, into))
    await club.pay(session, [units(10)])
    for (const customerId of [from, into])
      expect(await done(club.billing.credits.retrieve(club.scope, { customerId, productId }))).toMatchObject({
        granted: 100,
      })
    const before = await paymentsOf(into)
    for (const ms of [dayMs, 0, 0, 0]) await club.pass(ms)
    const [renewal, ...others] = (await paymentsOf(into)).filter((id) => !before.includes(id))
    expect(others).toEqual([])
    expect(await done(club.billing.payments.retrieve(club.scope, present(renewal)))).toMatchObject({
      customer_id: from,
      subscription_id: subscription,
      status: 'confirmed',
      billing_details: { email: expect.any(String) },
    })
  })

  it('leaves nobody alive of a person who is erased and merged at once', async () => {
    const [from, into] = [await customer(), await customer()]
    const [merged] = await Promise.all([merge(from, into)(), club.billing.customers.remove(now(), into)()])
    await club.pass(dayMs)
    const left = await club.billing.customers.retrieve(club.scope, from)()
    expect(E.isRight(left)).toBe(E.isLeft(merged))
    expect(await refused(club.billing.customers.retrieve(club.scope, into))).toEqual({ _tag: 'CustomerNotFound' })
  })

  it('erases in a sweep whom a crash or a merge at the same time has left', async () => {
    const [from, into] = [await customer(), await customer()]
    await done(merge(from, into))
    const { store } = club.services
    await done(execute(store)(Customer, into, now(), Customer.decider.decide({ type: 'DeleteCustomer' })))
    await club.pass(dayMs)
    expect(await club.services.vault.erased()).toEqual(expect.arrayContaining([from, into]))
    expect(await refused(club.billing.customers.retrieve(club.scope, from))).toEqual({ _tag: 'CustomerNotFound' })
  })
})
