import { asText } from '@quittance/domain'
import { done, refused } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'

const ada = { by: asText('Ada'), reason: asText('the quarterly reset'), isForced: false }

describe('payouts after a testnet reset', () => {
  let front: StoreFront & { readonly close: () => Promise<void> }
  beforeAll(async () => {
    front = await openStoreFront({})
  })
  afterAll(() => front.close())

  const ledgers = async (count: number): Promise<void> => {
    for (let passed = 0; passed < count; passed++) {
      await front.step()
      front.network.wait(5_000)
    }
  }
  const payOut = async (): Promise<string> => {
    const payouts = payoutsIn(front)
    await payouts.earn(2)
    const requested = await done(payouts.request(await payouts.destination(await front.wallets.wallet(1))))
    return (await payouts.ended(requested)).status
  }

  it('are paid on each new ledger, though the last one on the former ledger has a higher number', async () => {
    await ledgers(40)
    for (let resets = 0; resets < 3; resets++) {
      expect(await payOut()).toBe('succeeded')
      front.network.startAnew()
      await refused(front.worker.step)
      await done(front.billing.networkResets.reset('testnet', ada))
      await ledgers(3)
      await front.wallets.wallet(1)
      await ledgers(1)
    }
    expect(await payOut()).toBe('succeeded')
  })
})
