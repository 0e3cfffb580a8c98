import { asText } from '@quittance/domain'
import { Asset, Operation } from '@stellar/stellar-sdk'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

let front: StoreFront
let refunds: ReturnType<typeof refundsIn>
let payouts: ReturnType<typeof payoutsIn>
let exceptions: ReturnType<typeof exceptionsIn>
let exchange: Wallet
beforeEach(async () => {
  front = await openStoreFront()
  refunds = refundsIn(front)
  payouts = payoutsIn(front)
  exceptions = exceptionsIn(front)
  exchange = await front.wallets.wallet(71)
  exchange.requireMemo()
})
afterEach(() => front.close())

/** Money that waits for a person. */
const stranded = async (amount: number, asset = front.network.usdc.assetId) =>
  exceptions.of(await front.pay(null, [units(amount)], { from: exchange, asset }))
const payOut = async (amount: 'all' | number, assetId = front.network.usdc.assetId) => {
  const destination = await payouts.destination()
  const wanted = amount === 'all' ? amount : units(amount)
  return payouts.ended(await done(payouts.request(destination, { assetId, amount: wanted })))
}
const laterLedgers = async (count: number): Promise<void> => {
  for (let ledgers = 0; ledgers < count; ledgers++) {
    front.network.wait(1000)
    await front.step()
  }
}
const states = async () => {
  await front.platform.shown()
  const { resources } = await front.billing.refunds.list({ ...front.scope, limit: 10 }, null)()
  return resources.map(({ status }) => status).sort()
}
const returned = async (exception: { readonly id: string }) => {
  await payouts.destination(front.other)
  await done(exceptions.resolve(exception, { action: 'refund', destination: front.other.account, note: null }))
  return exceptions.settled(exception)
}

it('rejects a refund in an asset that the settlement account does not trust any more', async () => {
  const { assetId } = front.network.usdc
  const payment = await refunds.paid()
  await payOut('all')
  const [code = '', issuer] = assetId.split(':')
  const distrust = Operation.changeTrust({ asset: new Asset(code, issuer), limit: '0' })
  front.wallets.act(await front.seedOf(front.merchantId), [distrust])
  expect(await refused(refunds.request(payment))).toEqual({ _tag: 'SettlementAccountUnfit', assetId })
  expect(await refunds.paymentNow(payment)).toMatchObject({ line_items: [] })
})

describe('payouts and refunds beside money that may not fit in the end', () => {
  it('leaves a part of a price alone until the rest is paid', async () => {
    const payment = await refunds.paid()
    const { id } = await front.sell()
    await front.pay(id, [units(4)])
    expect(await payouts.balance()).toMatchObject({ ledger: '14', held: '4', available: '10' })
    await payOut(10)
    expect(await refused(refunds.request(payment))).toEqual({ _tag: 'InsufficientFunds' })
    await front.pay(id, [units(6)])
    expect(await payouts.balance()).toMatchObject({ ledger: '10', held: '0', available: '10' })
  })

  it('leaves money that waits for a rate alone, so it can still go back', async () => {
    const { rates } = front.network
    const { id } = await front.sell()
    rates.isOut = true
    front.network.wait(20 * 60_000)
    await front.pay(id, [units(10), units(10)])
    expect(await payouts.balance()).toMatchObject({ ledger: '20', held: '20', available: '0' })
    rates.isOut = false
    await laterLedgers(4)
    expect(await payouts.balance()).toMatchObject({ ledger: '10', held: '0', available: '10' })
  })
})

describe('refunds beside money that waits for a person', () => {
  it.each([
    ['USDC', 10, () => front.network.usdc.assetId],
    ['XLM', 40, () => front.network.xlm.assetId],
  ])('rejects refunds that would take it, so it can still go back (%s)', async (_, price, assetOf) => {
    const asset = assetOf()
    const payments = [await refunds.paid(price, asset), await refunds.paid(price, asset)]
    const exception = await stranded(33, asset)
    await payOut('all', asset)
    for (const payment of payments)
      expect(await refused(refunds.request(payment))).toEqual({ _tag: 'InsufficientFunds' })
    await laterLedgers(2)
    expect(await payouts.balance(asset)).toMatchObject({ available: '0', held: '33' })
    expect(await returned(exception)).toMatchObject({ status: 'resolved', return_status: 'succeeded' })
  })

  it('two refunds with money for one: the second waits until the exception is decided', async () => {
    const payments = [await refunds.paid(), await refunds.paid()]
    const exception = await stranded(33)
    await payOut(10)
    for (const payment of payments) await done(refunds.request(payment))
    await laterLedgers(4)
    expect(await payouts.balance()).toMatchObject({ ledger: '33', held: '43' })
    expect(await states()).toEqual(['pending', 'succeeded'])
    await done(exceptions.resolve(exception, { action: 'accept', note: null }))
    await laterLedgers(3)
    expect(await states()).toEqual(['succeeded', 'succeeded'])
  })

  it('a refund that has waited for its address has another day to find money', async () => {
    const [payment, direct] = [await refunds.paid(), await refunds.paid()]
    await stranded(33)
    await payOut(10)
    await done(refunds.request(payment, { destination: front.other.account }))
    await done(refunds.request(direct))
    await laterLedgers(3)
    front.network.wait(24 * 3_600_000)
    await laterLedgers(3)
    expect(await states()).toEqual(['pending', 'succeeded'])
    front.network.wait(24 * 3_600_000)
    await laterLedgers(3)
    expect(await states()).toEqual(['failed', 'succeeded'])
  })

  it('a refund that was frozen has another day to find money from the end of the freeze', async () => {
    const payments = [await refunds.paid(), await refunds.paid()]
    await stranded(33)
    await payOut(10)
    for (const payment of payments) await done(refunds.request(payment))
    const asked = { scope: 'payouts' as const, merchantId: null, by: asText('Ada'), reason: asText('a drill') }
    await done(front.billing.freezes.freeze(asked))
    front.network.wait(30 * 24 * 3_600_000)
    await laterLedgers(2)
    await done(front.billing.freezes.unfreeze(asked))
    await laterLedgers(3)
    expect(await states()).toEqual(['pending', 'succeeded'])
    front.network.wait(24 * 3_600_000)
    await laterLedgers(2)
    expect(await states()).toEqual(['failed', 'succeeded'])
  })

  it('a refund that finds no other money for a day fails', async () => {
    const payments = [await refunds.paid(), await refunds.paid()]
    await stranded(33)
    await payOut(10)
    for (const payment of payments) await done(refunds.request(payment))
    await laterLedgers(3)
    front.network.wait(24 * 3_600_000)
    await laterLedgers(2)
    const [failed] = (await front.billing.refunds.list({ ...front.scope, limit: 10, status: 'failed' }, null)())
      .resources
    expect(failed).toMatchObject({ failure_reason: 'insufficient_funds', transaction_hash: null })
    expect(await payouts.balance()).toMatchObject({ ledger: '33', held: '33' })
  })
})
