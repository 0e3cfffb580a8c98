import { hourMs, minuteMs } from '@quittance/domain'
import { done } from '../testing/outcomes.ts'
import { command } from '../testing/shop.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

const day = 24 * hourMs

describe('money and deadlines', () => {
  let shop: StoreFront
  beforeAll(async () => {
    shop = await openStoreFront()
  })
  afterAll(() => shop.close())
  const wait = async (ms: number): Promise<void> => {
    shop.network.wait(ms)
    await shop.step()
  }
  const expire = (id: string) => done(shop.billing.checkouts.expire(command(shop.platform, shop.merchantId), id))

  it('expires an unpaid session at its deadline and not before', async () => {
    const { id } = await shop.sell()
    await wait(day - minuteMs)
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    await wait(minuteMs + 1000)
    expect(await shop.checkout(id)).toMatchObject({ status: 'expired', failure_reason: null, payment_id: null })
    expect([await shop.payments(id), await shop.exceptionsOf(id)]).toEqual([[], []])
  })

  it('fails an underpaid session at its deadline, and records every part of the money', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(1), units(2)])
    await wait(day + 1000)
    const payment = await shop.payment(id)
    expect(await shop.checkout(id)).toMatchObject({
      status: 'failed',
      failure_reason: 'underpaid',
      payment_id: payment.id,
    })
    expect(payment).toMatchObject({ status: 'failed', failure_reason: 'underpaid', amount: '3 USDC' })
    expect(await shop.exceptionsOf(id)).toEqual([
      { kind: 'underpaid', amount: units(1) },
      { kind: 'underpaid', amount: units(2) },
    ])
    await shop.pay(id, [units(10)])
    expect(await shop.exceptionsOf(id)).toContainEqual({ kind: 'after_failure', amount: units(10) })
    expect(await shop.payment(id)).toMatchObject({ status: 'failed', amount: '3 USDC' })
  })

  it('fails a session that received only another asset', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(10)], { asset: shop.network.eurc.assetId })
    await wait(day + 1000)
    expect(await shop.checkout(id)).toMatchObject({ status: 'failed', failure_reason: 'wrong_asset' })
    expect(await shop.exceptionsOf(id)).toEqual([{ kind: 'wrong_asset', amount: units(10) }])
  })

  it('completes an expired session that is paid in full within 24 hours', async () => {
    const { id } = await shop.sell()
    await wait(day + 1000)
    await wait(day - 5000)
    await shop.pay(id, [units(10)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed', late: true })
    expect(await shop.payment(id)).toMatchObject({ status: 'confirmed', late: true, amount: '10 USDC' })
    expect(await shop.exceptionsOf(id)).toEqual([])
  })

  it.each([
    ['is not enough', 0, 9.9],
    ['comes more than 24 hours late', day + minuteMs, 10],
  ])('leaves money unapplied that %s after the deadline', async (_, later, amount) => {
    const { id } = await shop.sell()
    await wait(day + 1000)
    await wait(later)
    await shop.pay(id, [units(amount)])
    expect(await shop.checkout(id)).toMatchObject({ status: 'expired', payment_id: null })
    expect(await shop.payments(id)).toEqual([])
    expect(await shop.exceptionsOf(id)).toEqual([{ kind: 'late', amount: units(amount) }])
  })

  it('judges a payment by the close time of its ledger, however late it is ingested', async () => {
    const { id } = await shop.sell()
    shop.payer.pay({ to: shop.account, asset: shop.network.usdc.assetId, parts: [units(10)], memo: id })
    await wait(2 * day)
    expect(await shop.checkout(id)).toMatchObject({ status: 'completed', late: false })
  })

  it('fails a partial payment when the merchant ends its session', async () => {
    const { id } = await shop.sell()
    await shop.pay(id, [units(4)])
    expect(await expire(id)).toMatchObject({ status: 'failed', failure_reason: 'underpaid' })
    expect(await shop.payment(id)).toMatchObject({ status: 'failed', failure_reason: 'underpaid', amount: '4 USDC' })
    expect(await shop.exceptionsOf(id)).toEqual([{ kind: 'underpaid', amount: units(4) }])
  })

  it('answers the same when a merchant ends a session twice', async () => {
    const { id } = await shop.sell()
    const first = await expire(id)
    expect(first).toMatchObject({ status: 'expired' })
    expect(await expire(id)).toEqual(first)
  })
})
