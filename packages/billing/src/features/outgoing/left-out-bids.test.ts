import { type Bidding, biddings, crowded, ledgerMs } from '../../testing/bids.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { subscribersOf } from '../../testing/subscribers.ts'
import { units } from '../../testing/wallets.ts'

describe('a queue that takes more than the ledgers', () => {
  let front: StoreFront
  beforeEach(async () => {
    front = await openStoreFront()
  })
  afterEach(() => front.close())
  const biddingOfClass = async (of: Bidding['class']) =>
    present((await biddings(front.platform, 'testnet')).find((each) => each.class === of))

  it('raises the bid of a refund every four ledgers while ledgers leave it out, and pays it once', async () => {
    const refunds = refundsIn(front)
    const payment = await refunds.paid(10)
    right(front.network.sandbox.faults.set(crowded(5_000)))
    const refund = await done(refunds.request(payment))
    for (let n = 0; n < 12; n++) {
      await front.step()
      front.network.wait(ledgerMs)
    }
    await front.step()
    expect(await refunds.refundNow(refund)).toMatchObject({ status: 'succeeded' })
    expect(await biddingOfClass('refund')).toMatchObject({ bids: [100n, 1_000n, 10_000n], waits: [4, 4] })
    expect((await refunds.intentsOf(refund.id)).map(({ status }) => status)).toEqual(['reported'])
  })

  it('raises the bid of a charge every four ledgers while ledgers leave it out, and makes it once', async () => {
    const people = await subscribersOf(front)
    const id = await people.subscribe(front.payer)
    people.sleepADay()
    const paymentId = await people.start(id)
    right(front.network.sandbox.faults.set(crowded(5_000)))
    for (let n = 0; n < 12; n++) await people.pass(ledgerMs)
    expect(await people.payment(paymentId)).toMatchObject({ status: 'confirmed', confirmation: { amount: units(10) } })
    expect(await biddingOfClass('charge')).toMatchObject({ bids: [100n, 1_000n, 10_000n], waits: [4, 4] })
    expect([await front.exceptions(), await people.isReconciled()]).toEqual([[], true])
  })
})
