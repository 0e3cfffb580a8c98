import { type AccountId, minuteMs } from '@quittance/domain'
import type { LedgerGateway } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { acceptLog } from '../testing/accept-log.ts'
import { done, present } from '../testing/outcomes.ts'
import { refundsIn } from '../testing/refunds.ts'
import { backUp, restore } from '../testing/restored.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

/** While `isSlow`, submitted transactions are under way: no ledger holds them yet. */
const road = { isSlow: false, underWay: [] as Array<string> }

const watched = (gateway: LedgerGateway): LedgerGateway => ({
  ...gateway,
  submit: (envelope) => {
    if (road.isSlow) {
      road.underWay.push(envelope)
      return TE.left({ _tag: 'OutcomeUnknown', cause: 'a test' })
    }
    return gateway.submit(envelope)
  },
})

describe('a copy that is put back whole, marks included, while refunds are under way on two channels', () => {
  let front: StoreFront
  beforeEach(async () => {
    Object.assign(road, { isSlow: false, underWay: [] })
    front = await openStoreFront({}, (network) => ({
      ...network,
      gateway: watched(network.gateway),
      isInBackups: false,
    }))
  })
  afterEach(() => front.close())

  const pass = async (ms: number): Promise<void> => {
    front.network.wait(ms)
    await front.step()
  }
  const heldBy = async ({ account }: { readonly account: AccountId }) => {
    const { assetId } = front.network.usdc
    const [balance] = await done(front.network.gateway.balances([{ account, assetId }]))
    return present(present(balance).held)
  }

  it('pays each once: nothing is sent for two minutes, in which those that are under way land or die', async () => {
    const refunds = refundsIn(front)
    const lost = await refunds.paid()
    const repeated = await refunds.paid(10, undefined, front.other)
    const earlier = await refunds.paid()
    // The first two minutes are over, and the channels are set up.
    await pass(3 * minuteMs)
    await refunds.ended(await done(refunds.request(earlier)))
    const before = [await heldBy(front.payer), await heldBy(front.other)]
    const backup = backUp(front)
    road.isSlow = true
    for (const payment of [lost, repeated]) {
      await done(refunds.request(payment))
      await front.step()
    }
    expect(road.underWay).toHaveLength(2)

    front = await restore(front, backup, 'lost')
    road.isSlow = false
    await done(refundsIn(front).request(repeated))
    for (let ledgers = 0; ledgers < 10; ledgers++) await pass(5_000)
    for (const envelope of road.underWay) await done(front.network.gateway.submit(envelope))
    await pass(5_000)
    expect(front.billing.log.standing()).toMatchObject({ _tag: 'RolledBack' })
    await acceptLog(front)
    for (let ledgers = 0; ledgers < 40; ledgers++) await pass(5_000)
    expect([await heldBy(front.payer), await heldBy(front.other)]).toEqual(before.map((each) => each + units(10)))
    for (const payment of [lost, repeated])
      expect(await refundsIn(front).paymentNow(payment)).toMatchObject({ refunded: true })
  })
})
