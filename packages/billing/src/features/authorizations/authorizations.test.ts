import { type AccountId, hourMs } from '@quittance/domain'
import { cancelCall, readMandates } from '@quittance/ledger'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { command } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
let people = 0

describe('authorization requests', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const passDays = async (days: number) => {
    await club.pass(days * dayMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass()
  }
  const shown = (id: string) => done(club.billing.subscriptions.retrieve(club.scope, id))
  const asked = async (id: string) => present((await shown(id)).authorization.update_url).replace(/^.*\/pay\//, '')
  const subscribed = async () => {
    const reader = await club.wallets.wallet(140 + ++people)
    const checkout = await club.join(await club.club(), `a${people}@club.example`)
    await club.enrol(checkout, reader)
    const id = present((await club.checkout(checkout)).subscription_id)
    return { reader, id, terms: await club.termsOf(checkout) }
  }
  const subscription = async (id: string) => {
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error(`there is no ${id}`)
    return state
  }
  const order = () => command(club.platform, club.merchantId)
  const status = (id: string) => done(club.billing.payer.status(id))
  const sign = async (id: string, wallet: Wallet) => {
    const { transaction_xdr, ...built } = await done(club.billing.payer.transaction(id, wallet.account))
    const signed = wallet.sign(transaction_xdr)
    const { transaction_hash } = await done(club.billing.payer.submit(id, signed))
    await club.pass()
    return { ...built, signed, hash: transaction_hash }
  }
  const isCancelled = async (
    id: string,
    mandate: Awaited<ReturnType<typeof subscription>>['authorization']['mandate'],
  ) => {
    const { assetId } = (await subscription(id)).details
    const { contract, mandateId, customer } = mandate
    const key = { contract, mandate: mandateId, customer, assetId }
    return present((await done(readMandates(club.network.gateway)([key])))[0]).record?.isCancelled
  }

  it('asks for a new mandate for a dearer product; its signature completes the swap and ends the old mandate on the ledger', async () => {
    const { reader, id } = await subscribed()
    const old = (await subscription(id)).authorization.mandate
    const dearer = await club.club({ price: { amount: '25', amountCents: null } })
    const patch = { cancelAtPeriodEnd: null, metadata: undefined, productId: dearer }
    await done(club.billing.subscriptions.update(order(), id, patch))
    const request = await asked(id)
    expect(await done(club.billing.payer.quote(request))).toMatchObject({
      status: 'open',
      memo: expect.stringMatching(/^q_[0-9A-Za-z]{22}$/),
      amount: '25',
      amount_due: '0',
      sep7_uri: null,
      mandate: { first_amount: '0', cap: '27.5', interval: 'month', trial_days: 0 },
    })
    const { kind, mandate, hash, signed } = await sign(request, reader)
    expect({ kind, cap: mandate?.cap }).toEqual({ kind: 'mandate', cap: '27.5' })
    expect(await status(request)).toMatchObject({ status: 'completed', transaction_hash: hash, subscription_id: id })
    expect(await shown(id)).toMatchObject({
      product_id: dearer,
      pending_update: null,
      authorization: { update_url: null, cap: '27.5 USDC', status: 'active' },
    })
    // By the same transaction: there are never two, and never none.
    expect(await isCancelled(id, old)).toBe(true)
    expect(await subscription(id)).toMatchObject({ endedMandates: [old.mandateId], retired: [] })

    // It is used once, and whoever lost the answer is told the same hash.
    expect(await done(club.billing.payer.submit(request, signed))).toEqual({ transaction_hash: hash })
    expect(await refused(club.billing.payer.transaction(request, reader.account))).toEqual({
      _tag: 'CheckoutNotOpen',
      status: 'completed',
    })
    await passDays(31)
    expect(await shown(id)).toMatchObject({
      status: 'active',
      last_attempt: { status: 'confirmed', amount: '25 USDC' },
    })
  })

  const balanceOf = async (account: AccountId) => {
    const { assetId } = club.network.usdc
    const view = present(await done(club.network.gateway.accountView(account, [assetId])))
    return present(view.trustlines.find((each) => each.assetId === assetId)).balance
  }

  it.each([
    ['before', ['failed', 'confirmed'], 25],
    ['after', ['confirmed'], 10],
  ])(
    'collects once for a period whose mandate is replaced %s its charge, and blames nobody',
    async (when, paid, price) => {
      const { reader, id } = await subscribed()
      const productId = await club.club({ price: { amount: '25', amountCents: null } })
      const patch = { cancelAtPeriodEnd: null, metadata: undefined, productId }
      await done(club.billing.subscriptions.update(order(), id, patch))
      const request = await asked(id)
      const before = await balanceOf(reader.account)
      const delayNext = () => right(club.network.sandbox.faults.set({ include_late: { ledgers: 1, times: 1 } }))
      club.network.wait(31 * dayMs)
      if (when === 'before') delayNext()
      await club.step()
      if (when === 'after') delayNext()
      const { attempts, authorization } = await subscription(id)
      expect(attempts.at(-1)).toMatchObject({ n: 1, status: 'under_way', isHandedOver: true })
      await sign(request, reader)
      for (let more = 0; more < 3; more++) await club.pass()
      expect(await isCancelled(id, authorization.mandate)).toBe(true)
      await passDays(1)
      await passDays(1)
      expect(await subscription(id)).toMatchObject({
        status: 'active',
        covered: { kind: 'paid', n: 1 },
        attempts: paid.map((status) => ({ n: 1, status })),
        failedPaymentCount: 0,
        retired: [],
      })
      expect(before - (await balanceOf(reader.account))).toBe(units(price))
      expect(await club.exceptions()).toEqual([])
    },
  )

  it.each([
    ['while no rate is known', true, 9, 'open'],
    ['below the price', false, 9, 'open'],
    ['at the price', false, 10, 'completed'],
  ])('judges a stranger’s mandate for the request by the price of its ledger: %s', async (_, isOut, cap, expected) => {
    const { reader, id, terms } = await subscribed()
    const { mandateId } = (await subscription(id)).authorization.mandate
    await club.call(reader, cancelCall(terms.contract, terms.customer, mandateId))
    await club.pass()
    await club.pass()
    const request = await asked(id)
    const customer = club.other.account
    const changed = { customer, cap: units(cap), firstAmount: units(0), allowance: units(5_000 + 1_000 * people) }
    await club.create(club.other, { ...terms, ...changed, reference: request })
    club.network.rates.isOut = isOut
    await club.pass()
    expect((await status(request)).status).toBe(expected)
    club.network.rates.isOut = false
    const { mandate } = (await subscription(id)).authorization
    expect(mandate.customer === customer).toBe(expected === 'completed')
  })

  it('asks for another mandate after the customer has revoked one, and lets the cancellation be undone only with it', async () => {
    const { reader, id, terms } = await subscribed()
    const old = (await subscription(id)).authorization.mandate
    await club.call(reader, cancelCall(terms.contract, reader.account, old.mandateId))
    await club.pass()
    await club.pass()
    expect(await shown(id)).toMatchObject({ status: 'active', cancel_at_period_end: true })
    const request = await asked(id)
    const undo = { cancelAtPeriodEnd: false, metadata: undefined, productId: null }
    expect(await refused(club.billing.subscriptions.update(order(), id, undo))).toEqual({
      _tag: 'AuthorizationWasRevoked',
      authorizationId: request,
    })
    await sign(request, reader)
    expect(await done(club.billing.subscriptions.update(order(), id, undo))).toMatchObject({
      cancel_at_period_end: false,
      authorization: { status: 'active', update_url: null },
    })
    await passDays(31)
    expect(await shown(id)).toMatchObject({ status: 'active', last_attempt: { status: 'confirmed' } })
  })

  it('asks for a new approval when one runs out, and keeps the mandate', async () => {
    const { reader, id } = await subscribed()
    const { mandateId, approval } = (await subscription(id)).authorization.mandate
    for (let months = 0; months < 5; months++) await passDays(31)
    expect((await shown(id)).authorization).toMatchObject({ status: 'expiring' })
    const request = await asked(id)
    expect(await status(request)).toMatchObject({ status: 'open' })
    await sign(request, reader)
    const renewed = (await subscription(id)).authorization.mandate
    expect(renewed.mandateId).toBe(mandateId)
    expect(renewed.approval.approvedAt).toBeGreaterThan(approval.approvedAt + 150 * dayMs)
    expect((await shown(id)).authorization).toMatchObject({ status: 'active', update_url: null })
    expect(await status(request)).toMatchObject({ status: 'completed' })
  })

  it('lets another wallet answer for an approval that runs out, with a mandate of its own', async () => {
    const { id } = await subscribed()
    for (let months = 0; months < 5; months++) await passDays(31)
    const old = (await subscription(id)).authorization.mandate
    await sign(await asked(id), club.other)
    expect((await subscription(id)).authorization.mandate.customer).toBe(club.other.account)
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect(await isCancelled(id, old)).toBe(true)
  })

  it('refuses a transaction that the wallet signed for another request', async () => {
    const [one, two] = [await subscribed(), await subscribed()]
    for (const { id, reader, terms } of [one, two]) {
      const { mandateId } = (await subscription(id)).authorization.mandate
      await club.call(reader, cancelCall(terms.contract, reader.account, mandateId))
      await club.pass()
    }
    await club.pass()
    const built = await done(club.billing.payer.transaction(await asked(one.id), one.reader.account))
    const signed = one.reader.sign(built.transaction_xdr)
    expect(await refused(club.billing.payer.submit(await asked(two.id), signed))).toMatchObject({
      _tag: 'MandateNotOffered',
    })
  })

  it('fails the request once the subscription is canceled', async () => {
    const { reader, id, terms } = await subscribed()
    const { mandateId } = (await subscription(id)).authorization.mandate
    await club.call(reader, cancelCall(terms.contract, reader.account, mandateId))
    await club.pass()
    await club.pass()
    const request = await asked(id)
    await done(club.billing.subscriptions.cancel(order(), id, 'now'))
    expect(await status(request)).toMatchObject({ status: 'failed', failure_reason: 'subscription_canceled' })
  })
})
