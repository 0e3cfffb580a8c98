import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { type Subscribers, subscribersOf } from '../testing/subscribers.ts'
import { units } from '../testing/wallets.ts'

describe('a renewal', () => {
  let front: StoreFront
  let people: Subscribers
  beforeAll(async () => {
    front = await openStoreFront()
    people = await subscribersOf(front)
  })
  afterAll(() => front.close())

  it('is charged by the mandate in the ledger after, and its subscription goes on', async () => {
    const id = await people.subscribe(front.payer)
    await people.pass(people.dayMs)
    const paymentId = await people.start(id)
    for (let ledgers = 0; ledgers < 3; ledgers++) await people.pass()
    const { place, ...intent } = await people.intentOf(paymentId)
    expect(intent).toMatchObject({ status: 'reported', code: null })
    expect(await people.payment(paymentId)).toMatchObject({
      status: 'confirmed',
      details: { subscriptionId: id, cause: 'renewal', period: 1 },
      confirmation: { amount: units(10), payer: front.payer.account, transactionHash: place?.transactionHash },
    })
    expect((await people.now(id)).covered).toMatchObject({ kind: 'paid', n: 1 })
    expect([front.worker.troubles(), await front.exceptions()]).toEqual([[], []])
  })
})
