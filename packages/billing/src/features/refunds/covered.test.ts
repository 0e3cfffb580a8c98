import type { Cursor } from '@quittance/ledger'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Network } from '../../services/services.ts'
import { done, present } from '../../testing/outcomes.ts'
import { payoutsIn } from '../../testing/payouts.ts'
import { refundsIn } from '../../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../../testing/store-front.ts'
import { units } from '../../testing/wallets.ts'
import { openLedgerRoom } from '../outgoing/ledger-room.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { openTurns } from '../outgoing/turns.ts'
import { shortRefunds } from './covered.ts'

describe('a refund that lacks money', () => {
  let front: StoreFront
  beforeEach(async () => {
    front = await openStoreFront()
  })
  afterEach(() => front.close())

  /** A step as of a ledger, over a network. */
  const stepAt = (ingested: Cursor, network: Network): Outgoing => ({
    services: front.services,
    network,
    ingested,
    firstSeen: ingested,
    raise: () => undefined,
    turns: openTurns(),
    ledgerRoom: openLedgerRoom(network.gateway),
    weightless: new Map(),
  })
  const ingestedNow = async () => present(await done(front.services.cursors.of('testnet').load()))

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
    const outgoing = stepAt(await ingestedNow(), present(services.networks.testnet))
    const short = await shortRefunds(outgoing, 'testnet', () => false)
    expect(short.map(({ isObserved }) => isObserved)).toEqual([false])
  })

  it('is not sent because of a node that is behind what another worker has ingested', async () => {
    const refunds = refundsIn(front)
    const payments = [await refunds.paid(), await refunds.paid()]
    await front.pay((await front.sell()).id, [units(4)])
    const payouts = payoutsIn(front)
    await payouts.ended(await done(payouts.request(await payouts.destination(), { amount: units(10) })))
    const network = present(front.services.networks.testnet)
    const before = await ingestedNow()
    const view = await done(network.gateway.accountView(front.account, [front.network.usdc.assetId]))
    for (const payment of payments) await done(refunds.request(payment))
    for (let ledger = 0; ledger < 8; ledger++) {
      front.network.wait(1_000)
      await front.step()
    }

    await front.platform.shown()
    const late = { ...network, gateway: { ...network.gateway, accountView: () => TE.right(view) } }
    const short = await shortRefunds(stepAt(before, late), 'testnet', () => false)
    expect(short.map(({ isObserved }) => isObserved)).toEqual([false])
    const { resources } = await front.billing.refunds.list({ ...front.scope, limit: 10 }, null)()
    expect(resources.map(({ status }) => status).sort()).toEqual(['pending', 'succeeded'])
  })
})
