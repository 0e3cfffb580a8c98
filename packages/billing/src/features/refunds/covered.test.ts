import { done, present } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { openLedgerRoom } from '../outgoing/ledger-room.ts'
import { openTurns } from '../outgoing/turns.ts'
import { shortRefunds } from './covered.ts'

describe('a refund that lacks money', () => {
  let front: StoreFront
  beforeAll(async () => {
    front = await openStoreFront()
  })
  afterAll(() => front.close())

  it('is not given up because of a payout that the ledger holds and the log not yet', async () => {
    const { services, network } = front
    const payment = await refundsIn(front).paid()
    await refundsIn(front).paid()
    // Part of a price belongs to its sender until the rest comes.
    await front.pay((await front.sell()).id, [units(4)])
    const destination = await payoutsIn(front).destination()
    await done(payoutsIn(front).request(destination, { assetId: network.usdc.assetId, amount: units(10) }))
    await front.step()
    await done(refundsIn(front).request(payment))
    network.wait(5_000)

    await front.platform.shown()
    const ingested = present(await done(services.cursors.of('testnet').load()))
    const outgoing = {
      services,
      network: present(services.networks.testnet),
      ingested,
      firstSeen: ingested,
      raise: () => undefined,
      turns: openTurns(),
      ledgerRoom: openLedgerRoom(network.gateway),
      weightless: new Map(),
    }
    const short = await shortRefunds(outgoing, 'testnet', () => false)
    expect(short.map(({ isObserved }) => isObserved)).toEqual([false])
  })
})
