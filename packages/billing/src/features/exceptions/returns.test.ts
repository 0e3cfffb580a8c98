import { type AccountId, hourMs, minuteMs, stroops } from '@quittance/domain'
import { Transaction } from '@stellar/stellar-sdk'
import { exceptionsIn } from '../../testing/exceptions.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

const day = 24 * hourMs

let front: StoreFront
let exceptions: ReturnType<typeof exceptionsIn>
beforeAll(async () => {
  front = await openStoreFront()
  exceptions = exceptionsIn(front)
})
afterAll(() => front.close())

const wait = async (ms: number): Promise<void> => {
  front.network.wait(ms)
  await front.step()
}
const usdc = () => front.network.usdc.assetId
const xlm = () => front.network.xlm.assetId

/** The exception of a transaction, once its return has ended: back at who sent it, whole. */
const returned = async (hash: string, kind: string, amount: string, to: AccountId = front.payer.account) => {
  const exception = await exceptions.settled(await exceptions.of(hash))
  expect(exception).toMatchObject({
    kind,
    amount,
    status: 'resolved',
    action: 'refund',
    resolved_by: 'process',
    decision_needed: null,
    return_status: 'succeeded',
    return_address: to,
    return_transaction_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    resolved_at: expect.any(String),
  })
  return exception
}

describe('automatic returns', () => {
  it('returns each part of an underpayment to its sender at the deadline, and none before', async () => {
    const before = [await exceptions.held(front.payer.account), await exceptions.held(front.other.account)]
    const { id } = await front.sell()
    const first = await front.pay(id, [units(1)])
    const second = await front.pay(id, [units(2)], { from: front.other })
    await wait(1000)
    expect(await front.exceptionsOf(id)).toEqual([])
    await wait(day)
    expect(await front.checkout(id)).toMatchObject({ status: 'failed', failure_reason: 'underpaid' })
    await returned(first, 'underpaid', '1 USDC')
    await returned(second, 'underpaid', '2 USDC', front.other.account)
    expect([await exceptions.held(front.payer.account), await exceptions.held(front.other.account)]).toEqual(before)
  })

  it('returns an excess above 1 % and 0.10 USD, which is no refund, and keeps a smaller one', async () => {
    const before = await exceptions.held(front.payer.account)
    const { id } = await front.sell()
    await returned(await front.pay(id, [units(12)]), 'overpaid', '2 USDC')
    expect(await exceptions.held(front.payer.account)).toBe(before - units(10))
    expect(await front.payment(id)).toMatchObject({
      status: 'confirmed',
      amount: '10 USDC',
      line_items: [],
      refunded: false,
    })
    const kept = await front.sell()
    await front.pay(kept.id, [units(10.1)])
    expect(await front.payment(kept.id)).toMatchObject({ amount: '10.1 USDC', overpaid_amount: '0.1 USDC' })
    expect(await front.exceptionsOf(kept.id)).toEqual([])
  })

  it('returns an excess left by a lower price, to each sender at most what they sent', async () => {
    const { id } = await front.sell(xlm())
    const first = await front.pay(id, [units(39)], { asset: xlm() })
    front.network.rates.percent = 108
    await wait(10 * minuteMs)
    const last = await front.pay(id, [stroops(10_000n)], { asset: xlm(), from: front.other })
    front.network.rates.percent = 100
    expect(await front.checkout(id)).toMatchObject({ status: 'completed' })
    await returned(last, 'overpaid', '0.001 XLM', front.other.account)
    await returned(first, 'overpaid', '1.9629629 XLM')
  })

  it('completes a sale with full payment up to a day late, and returns any other late payment', async () => {
    const [short, full, late] = [await front.sell(), await front.sell(), await front.sell()]
    await wait(day + 1000)
    await returned(await front.pay(short.id, [units(9)]), 'late', '9 USDC')
    await front.pay(full.id, [units(10)])
    expect(await front.checkout(full.id)).toMatchObject({ status: 'completed', late: true })
    expect(await front.exceptionsOf(full.id)).toEqual([])
    await wait(day)
    await returned(await front.pay(late.id, [units(10)]), 'late', '10 USDC')
  })

  it('returns a payment to a failed session', async () => {
    const { id } = await front.sell()
    const part = await front.pay(id, [units(1)])
    await wait(day + 1000)
    await returned(part, 'underpaid', '1 USDC')
    await returned(await front.pay(id, [units(10)]), 'after_failure', '10 USDC')
  })

  it('returns a second payment', async () => {
    const { id } = await front.sell()
    await front.pay(id, [units(10)])
    await returned(
      await front.pay(id, [units(10)], { from: front.other }),
      'paid_twice',
      '10 USDC',
      front.other.account,
    )
    expect(await front.payment(id)).toMatchObject({ status: 'confirmed', amount: '10 USDC', line_items: [] })
  })

  it('batches returns, and marks them as returns by memo', async () => {
    const hash = await front.pay(null, [units(1), units(2)])
    const both = (await exceptions.all()).filter((each) => each.transaction_hash === hash)
    const [one, other] = [await exceptions.settled(present(both[0])), await exceptions.settled(present(both[1]))]
    expect(one.return_transaction_hash).toBe(other.return_transaction_hash)
    const { events } = await done(front.platform.log.readStream(`stellartx-${one.return_transaction_hash}`))
    const envelopeXdr = String(present(events[0]).data.envelopeXdr)
    const { memo } = new Transaction(envelopeXdr, front.network.gateway.networkPassphrase)
    expect([one.id, other.id]).toContain(Buffer.from(memo.value ?? '').toString())
  })

  it.each([
    ['no memo', null],
    ['a memo that names nothing of ours', 'thank you'],
    ['the memo of a sale that does not exist', 'chk_0000000000000000000000'],
  ])('returns a payment with %s, and the return names its exception', async (_, memo) => {
    const exception = await returned(await front.pay(memo, [units(3)]), 'unmatched', '3 USDC')
    expect(exception).toMatchObject({ memo, from_address: front.payer.account })
    expect(await exceptions.eventsOf(exception)).toEqual([
      'ExceptionOpened',
      'ReturnStarted',
      'ExceptionReturned',
      'ExceptionResolved',
    ])
    expect(await exceptions.intentsOf(exception)).toMatchObject([
      { row: { details: { class: 'return', memo: exception.id, source: front.account }, status: 'reported' } },
    ])
  })

  it('returns a payment in another asset, or one of the same code by another issuer', async () => {
    const { id } = await front.sell()
    const eurc = await front.pay(id, [units(10)], { asset: front.network.eurc.assetId })
    await returned(eurc, 'wrong_asset', '10 EURC')
    const impostor = front.wallets.assetNamed(`USDC:${front.other.account}`)
    front.wallets.trust(await front.seedOf(front.merchantId), impostor)
    const fake = await front.pay(id, [units(10)], { asset: impostor, from: front.other })
    await returned(fake, 'wrong_asset', '10 USDC', front.other.account)
    expect(await front.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
  })

  it('returns an exception worth ten times the fee, and records and closes a smaller one', async () => {
    const hash = await front.pay(null, [stroops(999n)], { asset: xlm() })
    expect(await exceptions.of(hash)).toMatchObject({
      kind: 'dust',
      status: 'resolved',
      action: 'accept',
      resolved_by: 'process',
      return_status: null,
    })
    await returned(await front.pay(null, [stroops(1000n)], { asset: xlm() }), 'unmatched', '0.0001 XLM')
  })

  it('returns an exception to the muxed id that sent it', async () => {
    const hash = front.payer.payMuxed('18446744073709551615', {
      to: front.account,
      asset: usdc(),
      parts: [units(2)],
      memo: null,
    })
    await front.step()
    const exception = await returned(hash, 'unmatched', '2 USDC')
    expect(await exceptions.intentsOf(exception)).toMatchObject([
      { row: { details: { action: { destinationMuxedId: '18446744073709551615' } } } },
    ])
  })

  it('returns several exceptions of a merchant in one transaction, each to its sender', async () => {
    const before = await exceptions.held(front.payer.account)
    const hash = await front.pay(
      null,
      Array.from({ length: 5 }, (_, place) => units(place + 1)),
    )
    const all = (await exceptions.all()).filter((each) => each.transaction_hash === hash)
    const ended = []
    for (const each of all) ended.push(await exceptions.settled(each))
    expect(new Set(ended.map((each) => each.return_transaction_hash)).size).toBe(1)
    expect(await exceptions.held(front.payer.account)).toBe(before)
  })
})
