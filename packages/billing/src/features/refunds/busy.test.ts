import type { AccountId } from '@quittance/domain'
import type { Network } from '../../services/services.ts'
import { done } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'

/** What happens on the ledger right before each look at a settlement account. */
let beforeLook: (account: AccountId) => void = () => undefined

/** A network whose ledgers close faster than a worker's steps. */
const busy = (network: Network): Network => ({
  ...network,
  gateway: {
    ...network.gateway,
    accountView: (account, assets) => async () => {
      beforeLook(account)
      return network.gateway.accountView(account, assets)()
    },
  },
})

describe('money that goes out of an account into which money comes with every ledger', () => {
  let front: StoreFront
  let refunds: ReturnType<typeof refundsIn>
  let payouts: ReturnType<typeof payoutsIn>
  beforeEach(async () => {
    front = await openStoreFront({}, busy)
    refunds = refundsIn(front)
    payouts = payoutsIn(front)
  })
  afterEach(async () => {
    beforeLook = () => undefined
    await front.close()
  })

  /** From now on somebody pays without a reference before each look, which no step has ingested yet. */
  const strangersPay = (amount: number): void => {
    const pay = { to: front.account, asset: front.network.usdc.assetId, parts: [units(amount)], memo: 'hello' }
    beforeLook = (account) => {
      if (account === front.account) front.other.pay(pay)
    }
  }
  const laterLedgers = async (count: number): Promise<void> => {
    for (let ledgers = 0; ledgers < count; ledgers++) {
      front.network.wait(1000)
      await front.step()
    }
  }
  /** Part of a price, which belongs to its sender until the rest comes. */
  const partPaid = async () => front.pay((await front.sell()).id, [units(4)])
  const states = async () => {
    await front.platform.shown()
    const { resources } = await front.billing.refunds.list({ ...front.scope, limit: 10 }, null)()
    return resources.map(({ status }) => status).sort()
  }
  const payOut = async (amount: number) =>
    payouts.ended(await done(payouts.request(await payouts.destination(), { amount: units(amount) })))

  it('a refund goes out, from what was there before', async () => {
    const payment = await refunds.paid()
    await payouts.earn(1)
    await partPaid()
    const refund = await done(refunds.request(payment))
    strangersPay(1)
    expect(await refunds.ended(refund)).toMatchObject({ status: 'succeeded' })
  })

  it('a payout goes out, from what was there before', async () => {
    await payouts.earn(2)
    const payout = await done(payouts.request(await payouts.destination()))
    strangersPay(1)
    expect(await payouts.ended(payout)).toMatchObject({ status: 'succeeded' })
  })

  it('a refund does not take what has just come, and waits', async () => {
    const two = [await refunds.paid(), await refunds.paid()]
    await partPaid()
    await payOut(10)
    for (const payment of two) await done(refunds.request(payment))
    strangersPay(50)
    await laterLedgers(8)
    expect(await states()).toEqual(['pending', 'succeeded'])
  })

  it.each([
    ['is not given up as long as what has just come may be enough for it', 50, ['pending', 'succeeded']],
    ['is given up after a day if even what has just come is not enough for it', 1, ['failed', 'succeeded']],
  ])('a refund %s', async (_, amount, expected) => {
    const two = [await refunds.paid(), await refunds.paid()]
    await partPaid()
    await payOut(10)
    for (const payment of two) await done(refunds.request(payment))
    await laterLedgers(3)
    front.network.wait(24 * 3_600_000)
    strangersPay(amount)
    await laterLedgers(1)
    expect(await states()).toEqual(expected)
  })
})
