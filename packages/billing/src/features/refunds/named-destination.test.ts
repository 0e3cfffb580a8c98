import { type AccountId, asText, Memo, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { writeStrkey } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done, present, refused, right } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openPlatform } from '../../testing/platform.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { command, openShop, someone } from '../../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * 3_600_000
const narrow = { mayNameAnyAddress: false }
const notAllowed = { _tag: 'DestinationNotAllowed' }

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
let exceptions: ReturnType<typeof exceptionsIn>
let payouts: ReturnType<typeof payoutsIn>
let elsewhere: Wallet
beforeEach(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  exceptions = exceptionsIn(front)
  payouts = payoutsIn(front)
  elsewhere = await front.wallets.wallet(81)
})
afterEach(() => front.close())

let customers = 0
const newCustomer = async () => {
  const [made] = await done(front.billing.customers.createAll(refunds.now(), [someone(`c${customers++}@shop.example`)]))
  return present(made).id
}
const paidBy = async (customer: string) => {
  const { id } = await front.sell(undefined, { id: customer, email: null, phone: null })
  await front.pay(id, [units(10)])
  return front.payment(id)
}
const prove = async (customer: string, wallet: Wallet, actor = 'test') => {
  const { wallets } = front.billing
  const context = () => ({ ...refunds.now(), actor })
  const { transaction } = await done(wallets.start(context(), customer, wallet.account))
  return (await done(wallets.verify(context(), customer, wallet.sign(transaction)))).id
}
const register = (address: string, memo: Memo | null = null) =>
  done(front.billing.payouts.destinations.register(payouts.now(), { address, memo, label: null }))
const held = (account: AccountId = elsewhere.account) => exceptions.held(account)
const publicEventsOf = async (resourceId: string) =>
  (
    await (
      await front.platform.shown()
    ).publicEvents.page({ ...front.scope, after: null, type: null, resourceId, limit: 20 })
  ).publicEvents.map(({ type }) => type)

describe('a refund by a caller who may not name any address', () => {
  const refund = (payment: { readonly id: string }, destination = elsewhere.account) =>
    refunds.request(payment, { ...narrow, destination })
  const sentAtOnce = { status: 'pending', sends_at: null }

  it('goes to the wallet that paid, whether or not the request names it', async () => {
    expect(await done(refund(await refunds.paid(), front.payer.account))).toMatchObject(sentAtOnce)
    expect(await done(refunds.request(await refunds.paid(), narrow))).toMatchObject(sentAtOnce)
  })

  it('goes to a registered destination once a payout may go there, and not any more after its removal', async () => {
    const payment = await refunds.paid()
    const { id } = await register(elsewhere.account)
    front.network.wait(dayMs - 1)
    expect(await refused(refund(payment))).toEqual(notAllowed)
    front.network.wait(1)
    expect(await refunds.ended(await done(refund(payment)))).toMatchObject({ status: 'succeeded' })
    await done(front.billing.payouts.destinations.remove(payouts.now(), id))
    expect(await refused(refund(await refunds.paid()))).toEqual(notAllowed)
    await payouts.destination(elsewhere)
    expect(await done(refund(await refunds.paid()))).toMatchObject(sentAtOnce)
  })

  it('does not go to the address of a destination that differs from others by a memo or a number', async () => {
    await register(elsewhere.account, decoded(Memo, { type: 'text', value: 'user 1042' }))
    await register(writeStrkey({ _tag: 'muxed_account', account: elsewhere.account, muxedId: '7' }))
    front.network.wait(dayMs)
    expect(await refused(refund(await refunds.paid()))).toEqual(notAllowed)
  })

  it('does not go to a destination of another merchant', async () => {
    const context = command(front.platform, await openShop(front.platform))
    const { destinations } = front.billing.payouts
    await done(destinations.register(context, { address: elsewhere.account, memo: null, label: null }))
    front.network.wait(dayMs)
    expect(await refused(refund(await refunds.paid()))).toEqual(notAllowed)
  })

  it("goes to a wallet that the payment's customer has proven, until it is unlinked, and to no other's", async () => {
    const [customer, another] = [await newCustomer(), await newCustomer()]
    await prove(another, elsewhere)
    expect(await refused(refund(await paidBy(customer)))).toEqual(notAllowed)
    const walletId = await prove(customer, elsewhere)
    expect(await refunds.ended(await done(refund(await paidBy(customer))))).toMatchObject({ status: 'succeeded' })
    await done(front.billing.wallets.remove(refunds.now(), customer, walletId))
    expect(await refused(refund(await paidBy(customer)))).toEqual(notAllowed)
  })

  it('does not go to a wallet that the customer has only paid from', async () => {
    const customer = await newCustomer()
    await paidBy(customer)
    const { id } = await front.sell(undefined, { id: customer, email: null, phone: null })
    await front.pay(id, [units(10)], { from: front.other })
    expect(await refused(refund(await front.payment(id), front.payer.account))).toEqual(notAllowed)
  })

  it('goes to a wallet that an app token has proven a day later, and to one of a secret key at once', async () => {
    const keyOf = (scopes: ReadonlyArray<string>) => done(front.billing.merchants.createKey(refunds.now(), scopes))
    const [token, secret] = [await keyOf(['customers:write']), await keyOf([])]
    const [one, other] = [await newCustomer(), await newCustomer()]
    await prove(one, elsewhere, token.keyId)
    const payment = await paidBy(one)
    front.network.wait(dayMs - 60_000)
    expect(await refused(refund(payment))).toEqual(notAllowed)
    front.network.wait(60_000)
    expect(await done(refund(payment))).toMatchObject(sentAtOnce)
    await prove(other, elsewhere, secret.keyId)
    expect(await done(refund(await paidBy(other)))).toMatchObject(sentAtOnce)
  })

  it('goes to a wallet that a member has proven a day later, unless they may do what a secret key may', async () => {
    const { members } = front.billing.team
    const memberOf = async (role: 'admin' | 'support') =>
      right(await members.inviteByOperator(front.scope.merchantId, { email: `${role}@shop.example`, role })).member_id
    const [support, admin] = [await memberOf('support'), await memberOf('admin')]
    const [one, other] = [await newCustomer(), await newCustomer()]
    await prove(one, elsewhere, support)
    const payment = await paidBy(one)
    front.network.wait(dayMs - 60_000)
    expect(await refused(refund(payment))).toEqual(notAllowed)
    front.network.wait(60_000)
    expect(await done(refund(payment))).toMatchObject(sentAtOnce)
    await prove(other, elsewhere, admin)
    expect(await done(refund(await paidBy(other)))).toMatchObject(sentAtOnce)
    right(await members.remove({ actor: 'operator', merchantId: front.scope.merchantId }, admin))
    expect(await refused(refund(await paidBy(other)))).toEqual(notAllowed)
  })

  it('does not go to a stranger who has joined a purchase, with dust or with more', async () => {
    for (const share of [stroops(1n), units(1)]) {
      const { id } = await front.sell()
      await front.pay(id, [share], { from: elsewhere })
      await front.pay(id, [stroops(units(10) - share)])
      expect(await refused(refund(await front.payment(id)))).toEqual(notAllowed)
    }
  })

  it("does not go to a customer's proven wallet if a person has applied somebody else's money", async () => {
    const customer = await newCustomer()
    await prove(customer, elsewhere)
    const exchange = await front.wallets.wallet(82)
    exchange.requireMemo()
    const stray = await exceptions.of(await front.pay(null, [units(10)], { from: exchange }))
    const { id } = await front.sell(undefined, { id: customer, email: null, phone: null })
    await done(exceptions.resolve(stray, { action: 'apply', checkoutId: id, note: null }))
    expect(await refused(refund(await front.payment(id)))).toEqual(notAllowed)
  })
})

describe('a refund to any other address', () => {
  const refund = async (payment?: { readonly id: string }) =>
    done(refunds.request(payment ?? (await refunds.paid()), { destination: elsewhere.account }))
  const untilDue = async ({ sends_at }: { readonly sends_at: string | null }, beforeMs: number) => {
    front.network.wait(Date.parse(present(sends_at)) - front.network.now() - beforeMs)
    await front.step()
  }

  it('waits for 24 hours, tells the merchant, keeps its money, and is sent then', async () => {
    const [payment, before, asked] = [await refunds.paid(), await held(), front.network.now()]
    const made = await refund(payment)
    expect(made).toMatchObject({ status: 'pending', signature_needed: false })
    expect(Date.parse(present(made.sends_at)) - asked).toBe(dayMs)
    expect(await publicEventsOf(made.id)).toEqual(['refund.created', 'refund.waiting'])
    expect(await payouts.balance()).toMatchObject({ ledger: '10', held: '10', available: '0' })
    await front.step()
    await untilDue(made, 1)
    expect(await refunds.intentsOf(made.id)).toEqual([])
    expect(await refunds.refundNow(made)).toEqual(made)
    await untilDue(made, 0)
    expect(await refunds.refundNow(made)).toMatchObject({ status: 'pending', sends_at: null })
    expect(await refunds.ended(made)).toMatchObject({ status: 'succeeded', sends_at: null })
    expect((await held()) - before).toBe(units(10))
    expect(await publicEventsOf(made.id)).toEqual(['refund.created', 'refund.waiting', 'refund.succeeded'])
  })

  it('falls due for the clock of the sandbox', async () => {
    const made = await refund()
    await front.step()
    expect(await front.worker.nextDue()).toBe(Date.parse(present(made.sends_at)))
  })

  it('is canceled while it waits: nothing is ever sent, and the payment can be refunded again', async () => {
    const payment = await refunds.paid()
    const [made, context] = [await refund(payment), refunds.now()]
    const canceled = await done(front.billing.refunds.cancel(context, made.id))
    expect(canceled).toMatchObject({ status: 'failed', failure_reason: 'canceled', sends_at: null })
    expect(await done(front.billing.refunds.cancel(context, made.id))).toEqual(canceled)
    expect(await publicEventsOf(made.id)).toEqual(['refund.created', 'refund.waiting', 'refund.failed'])
    await untilDue(made, -1_000)
    expect(await refunds.intentsOf(made.id)).toEqual([])
    expect(await refunds.refundNow(made)).toEqual(canceled)
    const next = await done(refunds.request(payment))
    expect(await refunds.ended(next)).toMatchObject({
      status: 'succeeded',
      receiver_wallet_address: front.payer.account,
    })
  })

  it('is not canceled once it is on its way, nor if it never waited', async () => {
    const { cancel } = front.billing.refunds
    const [made, direct] = [await refund(), await done(refunds.request(await refunds.paid()))]
    expect(await refused(cancel(refunds.now(), direct.id))).toEqual({ _tag: 'RefundNotWaiting' })
    await untilDue(made, 0)
    expect(await refused(cancel(refunds.now(), made.id))).toEqual({ _tag: 'RefundNotWaiting' })
    await refunds.ended(made)
    expect(await refused(cancel(refunds.now(), made.id))).toMatchObject({ _tag: 'RefundIsSucceeded' })
    const stranger = command(front.platform, 'mer_another')
    expect(await refused(cancel(stranger, made.id))).toEqual({ _tag: 'RefundNotFound' })
  })

  it('is either canceled or sent when two processes decide at its time', async () => {
    const [made, before] = [await refund(), await held()]
    front.network.wait(dayMs)
    const second = await openPlatform(front.network, front.folder.path)
    const [canceled] = await Promise.all([second.billing.refunds.cancel(refunds.now(second), made.id)(), front.step()])
    await second.close()
    const isCanceled = E.isRight(canceled)
    expect(await refunds.ended(made)).toMatchObject({ status: isCanceled ? 'failed' : 'succeeded' })
    expect((await held()) - before).toBe(isCanceled ? 0n : units(10))
    expect(await refunds.intentsOf(made.id)).toHaveLength(isCanceled ? 0 : 1)
  })
})

describe('an exception that goes to a named address', () => {
  let exchange: Wallet
  beforeEach(async () => {
    exchange = await front.wallets.wallet(83)
    exchange.requireMemo()
  })
  const stray = async () => exceptions.of(await front.pay(null, [units(10)], { from: exchange }))
  const to = (destination: AccountId, mayNameAnyAddress: boolean) =>
    ({ action: 'refund', destination, mayNameAnyAddress, note: asText('by mail') }) as const

  it('goes to the sender and to a registered destination at once, and nowhere else without the right', async () => {
    const sender = await front.wallets.wallet(84)
    const returned = await exceptions.of(await front.pay('rf_0000000000000000000000', [units(3)], { from: sender }))
    expect(await done(exceptions.resolve(returned, to(sender.account, false)))).toMatchObject({ return_sends_at: null })
    const other = await stray()
    expect(await refused(exceptions.resolve(other, to(elsewhere.account, false)))).toEqual(notAllowed)
    expect(await exceptions.known(other)).toEqual(other)
    await payouts.destination(elsewhere)
    await done(exceptions.resolve(other, to(elsewhere.account, false)))
    expect(await exceptions.settled(other)).toMatchObject({ status: 'resolved', return_address: elsewhere.account })
  })

  it('goes to a wallet that the customer of its checkout has proven', async () => {
    const customer = await newCustomer()
    await prove(customer, elsewhere)
    const { id } = await front.sell(undefined, { id: customer, email: null, phone: null })
    await front.pay(id, [units(10)])
    const twice = await exceptions.of(await front.pay(id, [units(10)], { from: exchange }))
    expect(twice).toMatchObject({ kind: 'paid_twice', checkout_id: id })
    expect(await done(exceptions.resolve(twice, to(elsewhere.account, false)))).toMatchObject({ return_sends_at: null })
    expect(await exceptions.settled(twice)).toMatchObject({ status: 'resolved' })
  })

  it('waits elsewhere for 24 hours, tells the merchant, and is sent then', async () => {
    const [exception, before, asked] = [await stray(), await held(), front.network.now()]
    const started = await done(exceptions.resolve(exception, to(elsewhere.account, true)))
    expect(started).toMatchObject({ status: 'open', return_status: 'pending', return_address: elsewhere.account })
    const sendsAt = Date.parse(present(started.return_sends_at))
    expect(sendsAt - asked).toBe(dayMs)
    expect(await publicEventsOf(exception.id)).toEqual(['exception.opened', 'exception.return_waiting'])
    await front.step()
    expect(await front.worker.nextDue()).toBe(sendsAt)
    front.network.wait(sendsAt - front.network.now() - 1)
    await front.step()
    expect(await exceptions.intentsOf(exception)).toEqual([])
    front.network.wait(1)
    expect(await exceptions.settled(exception)).toMatchObject({ status: 'resolved', return_sends_at: null })
    expect((await held()) - before).toBe(units(10))
  })

  it('is canceled while it waits: nothing is ever sent, and a person decides again', async () => {
    const [exception, before, context] = [await stray(), await held(), exceptions.now()]
    const { cancelReturn } = front.billing.exceptions
    expect(await refused(cancelReturn(exceptions.now(), exception.id))).toEqual({ _tag: 'ReturnNotWaiting' })
    await done(exceptions.resolve(exception, to(elsewhere.account, true)))
    const canceled = await done(cancelReturn(context, exception.id))
    expect(canceled).toMatchObject({
      status: 'open',
      decision_needed: 'return_canceled',
      return_status: 'failed',
      return_sends_at: null,
    })
    front.network.wait(2 * dayMs)
    await front.step()
    expect(await exceptions.known(exception)).toEqual(canceled)
    expect(await done(cancelReturn(context, exception.id))).toEqual(canceled)
    expect(await done(exceptions.resolve(exception, to(elsewhere.account, true)))).toMatchObject({
      return_status: 'pending',
      return_sends_at: expect.any(String),
    })
    expect((await held()) - before).toBe(0n)
  })
})
