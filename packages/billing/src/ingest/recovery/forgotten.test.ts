import { inTrouble } from '../../testing/merchant-trouble.ts'
import { done, present } from '../../testing/outcomes.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { backUp, restore } from '../../testing/restored.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'

describe('a transaction that a restored log has forgotten', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())

  it('stops all sending in the ledger that holds it, although the share of its merchant is parked', async () => {
    const payment = await refundsIn(front).paid()
    const { id } = await front.sell()
    const backup = backUp(front)
    await front.pay(id, [units(10)])
    await refundsIn(front).ended(await done(refundsIn(front).request(payment)))

    front = await restore(front, backup, 'lost')
    const trouble = { merchantId: front.merchantId, streams: /^checkout-/, failure: 'Defect' as const, isOn: true }
    await done(present(createWorker(inTrouble(front.services, trouble), 'testnet', () => undefined)).step)
    expect(await front.services.parked.queues('testnet')).toEqual([{ ...front.scope, id: front.merchantId }])
    expect(front.billing.log.standing()).toMatchObject({
      _tag: 'RolledBack',
      reasons: [{ _tag: 'TransactionForgotten' }],
    })
  })
})
