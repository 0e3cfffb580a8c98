import { hourMs, type Stroops } from '@quittance/domain'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { command, options } from '../../testing/shop.ts'
import type { Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
let people = 0
const someone = () => `reader-${++people}@one.example`

describe('one subscription of a product per customer', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())

  const wallet = () => club.wallets.wallet(20 + ++people)
  const now = () => command(club.platform, club.merchantId)
  const customerOf = async (session: string) => present((await club.checkout(session)).customer_id)
  const subscriptionOf = async (session: string) => present((await club.checkout(session)).subscription_id)
  const balance = async (of: Wallet): Promise<Stroops> => {
    const { assetId } = club.network.usdc
    const [held] = await done(club.network.gateway.balances([{ account: of.account, assetId }]))
    return present(present(held).held)
  }
  const prove = async (customer: string, owned: Wallet) => {
    const { transaction } = await done(club.billing.wallets.start(now(), customer, owned.account))
    await done(club.billing.wallets.verify(now(), customer, owned.sign(transaction)))
  }
  const creation = (productId: string, customer: string) =>
    club.billing.checkouts.createForProduct(now(), productId, options({ id: customer, email: null, phone: null }))
  const signedOffer = async (session: string, by: Wallet) => by.sign((await club.offered(session, by)).transaction_xdr)
  const refusals = async (session: string) => (await club.state(session)).refusedEnrolments.map(({ reason }) => reason)

  /** A named customer who has subscribed. */
  const subscriber = async (productId: string) => {
    const [session, signer] = [await club.joinNamed(productId, someone()), await wallet()]
    await club.enrol(session, signer)
    const subscriptionId = await subscriptionOf(session)
    return { signer, customer: await customerOf(session), subscriptionId, rejection: already(subscriptionId) }
  }
  const already = (subscriptionId: string) => ({ _tag: 'AlreadySubscribed', subscriptionId })

  it('refuses a second checkout with the id of the subscription, until that one has ended', async () => {
    const productId = await club.club()
    const { customer, subscriptionId, rejection } = await subscriber(productId)
    expect(await refused(creation(productId, customer))).toEqual(rejection)
    await done(creation(await club.club(), customer))
    await done(club.billing.subscriptions.pause(now(), subscriptionId))
    expect(await refused(creation(productId, customer))).toEqual(rejection)
    await done(club.billing.subscriptions.cancel(now(), subscriptionId, 'now'))
    await done(creation(productId, customer))
  })

  it('refuses until a scheduled cancellation takes effect, and no longer, even if no worker has recorded it', async () => {
    const productId = await club.club({ recurringPeriod: 'day' })
    const { customer, subscriptionId, rejection } = await subscriber(productId)
    await done(club.billing.subscriptions.cancel(now(), subscriptionId, 'period_end'))
    expect(await refused(creation(productId, customer))).toEqual(rejection)
    club.network.wait(dayMs)
    await done(creation(productId, customer))
  })

  it('allows several subscriptions of a product that says so, from the change on', async () => {
    const productId = await club.club()
    const { customer } = await subscriber(productId)
    await done(club.billing.products.update(now(), productId, { allowsMultipleSubscriptions: true }))
    const second = await club.joinAs(productId, customer)
    await club.enrol(second, await wallet())
    expect((await club.checkout(second)).status).toBe('completed')
  })

  it('answers a repeated request with its own session, although its subscription has begun since', async () => {
    const productId = await club.club()
    const [context, session] = [now(), await club.joinNamed(await club.club(), someone())]
    const create = () =>
      club.billing.checkouts.createForProduct(context, productId, options({ id: customer, email: null, phone: null }))
    const customer = await customerOf(session)
    const { id } = await done(create())
    await club.enrol(id, await wallet())
    expect((await done(create())).id).toBe(id)
  })

  it('offers nothing to sign, and relays nothing signed before, in a second session', async () => {
    const productId = await club.club()
    const first = await club.joinNamed(productId, someone())
    const second = await club.joinAs(productId, await customerOf(first))
    const [one, other] = [await wallet(), await wallet()]
    const signed = await signedOffer(second, other)
    await club.enrol(first, one)
    const rejection = already(await subscriptionOf(first))
    const before = await balance(other)
    expect(await refused(club.billing.payer.transaction(second, other.account))).toEqual(rejection)
    expect(await refused(club.billing.payer.submit(second, signed))).toEqual(rejection)
    await club.pass()
    expect(await balance(other)).toBe(before)
  })

  it('begins the first of two subscriptions that are signed at once, and returns the money of the other', async () => {
    const productId = await club.club()
    const first = await club.joinNamed(productId, someone())
    const sessions = [first, await club.joinAs(productId, await customerOf(first))]
    const signers = [await wallet(), await wallet()]
    const before = await Promise.all(signers.map(balance))
    for (const [index, session] of sessions.entries())
      await done(club.billing.payer.submit(session, await signedOffer(session, present(signers[index]))))
    await club.pass()
    const statuses = await Promise.all(sessions.map(async (session) => (await club.checkout(session)).status))
    expect([...statuses].sort()).toEqual(['completed', 'open'])
    const loser = statuses.indexOf('open')
    expect(await refusals(present(sessions[loser]))).toEqual(['already_subscribed'])
    expect((await club.exceptionsOf(present(sessions[loser]))).map(({ kind }) => kind)).toEqual(['paid_twice'])
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect(await balance(present(signers[loser]))).toBe(before[loser])
    await club.pass(dayMs)
    expect(await club.checkout(present(sessions[loser]))).toMatchObject({
      status: 'failed',
      failure_reason: 'authorization_failed',
      subscription_id: null,
    })
  })

  it('returns the money of a mandate that the wallet sends past the service', async () => {
    const productId = await club.club()
    const first = await club.joinNamed(productId, someone())
    const second = await club.joinAs(productId, await customerOf(first))
    const other = await wallet()
    const [signed, before] = [await signedOffer(second, other), await balance(other)]
    await club.enrol(first, await wallet())
    await done(club.network.gateway.submit(signed))
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect([await refusals(second), await balance(other)]).toEqual([['already_subscribed'], before])
  })

  it('is not blocked by strangers: a subscription under a typed email counts against its own wallet alone', async () => {
    const productId = await club.club()
    const email = someone()
    const own = await club.joinNamed(productId, email)
    const [thief, victim] = [await wallet(), await wallet()]
    await club.enrol(await club.join(productId, email), thief)
    expect(await refused(club.billing.payer.transaction(own, thief.account))).toMatchObject({
      _tag: 'AlreadySubscribed',
    })
    await done(creation(productId, await customerOf(own)))
    await club.enrol(own, victim)
    expect((await club.checkout(own)).status).toBe('completed')
  })

  it('counts a subscription under a typed email once the customer has proven its wallet', async () => {
    const productId = await club.club()
    const [session, signer] = [await club.join(productId, someone()), await wallet()]
    await club.enrol(session, signer)
    const customer = await customerOf(session)
    await done(creation(productId, customer))
    await prove(customer, signer)
    expect(await refused(creation(productId, customer))).toEqual(already(await subscriptionOf(session)))
  })

  it('tells strangers nothing: a session of a typed email learns it from the ledger, which the wallet has signed', async () => {
    const productId = await club.club()
    const email = someone()
    const [first, signer] = [await club.join(productId, email), await wallet()]
    await club.enrol(first, signer)
    const second = await club.join(productId, email)
    await club.enrol(second, signer)
    expect(await refusals(second)).toEqual(['already_subscribed'])
    const third = await club.join(productId, email)
    await club.enrol(third, await wallet())
    expect((await club.checkout(third)).status).toBe('completed')
  })

  it('refuses a swap to a product that the customer has subscribed to', async () => {
    const [monthly, other] = [await club.club(), await club.club()]
    const { customer, rejection } = await subscriber(monthly)
    const session = await club.joinAs(other, customer)
    await club.enrol(session, await wallet())
    const swap = { cancelAtPeriodEnd: null, metadata: undefined, productId: monthly }
    const second = await subscriptionOf(session)
    expect(await refused(club.billing.subscriptions.update(now(), second, swap))).toEqual(rejection)
    await done(club.billing.subscriptions.update(now(), second, { ...swap, productId: other }))
    await done(club.billing.subscriptions.update(now(), second, { ...swap, productId: await club.club() }))
  })
})
