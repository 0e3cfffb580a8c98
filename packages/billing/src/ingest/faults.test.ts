import { minuteMs } from '@quittance/domain'
import { readEnvelope } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { passphrase } from '../testing/network.ts'
import { done, present } from '../testing/outcomes.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'

type Faults = Parameters<StoreFront['network']['sandbox']['faults']['set']>[0]

const patience = 20

describe('a payment on a network in trouble', () => {
  let shop: StoreFront
  beforeEach(async () => {
    shop = await openStoreFront({ timeoutMs: 2_000 })
  })
  afterEach(() => shop.close())
  const set = (faults: Faults) => E.getOrElseW(() => null)(shop.network.sandbox.faults.set(faults))
  const usdc = () => shop.network.usdc.assetId
  const built = async (id: string): Promise<string> =>
    shop.payer.sign((await done(shop.billing.payer.transaction(id, shop.payer.account))).transaction_xdr)
  const received = async () =>
    present(present(await done(shop.network.gateway.accountView(shop.account, [usdc()]))).trustlines[0]).balance
  const step = async (): Promise<void> => {
    await shop.worker.step()
  }
  const hasFailed = (envelope: string): boolean => {
    const read = readEnvelope(envelope, passphrase)
    return E.isRight(read) && shop.network.sandbox.read.findTransaction(read.right.transactionHash)?.succeeded === false
  }

  /**
   * The payer sends the same bytes until the checkout is complete; others only once those have failed on the ledger.
   */
  const payUnder = async (faults: Faults) => {
    const { id } = await shop.sell()
    let envelope = await built(id)
    set(faults)
    for (let round = 0; round < patience; round += 1) {
      if (hasFailed(envelope)) {
        const again = await shop.billing.payer.transaction(id, shop.payer.account)()
        if (E.isRight(again)) envelope = shop.payer.sign(again.right.transaction_xdr)
      }
      await shop.billing.payer.submit(id, envelope)()
      shop.network.wait(1_000)
      // Several ledgers at once: a page of them is what a gap or an old history shows in.
      if (round % 3 === 2) await step()
    }
    const left = shop.network.sandbox.faults.present()
    set({})
    shop.network.wait(1_000)
    await step()
    return { id, left }
  }

  it.each<[string, (shop: StoreFront) => Faults]>([
    ['replies are lost', () => ({ lose_reply: { times: 1 } })],
    ['transactions are dropped', () => ({ drop: { times: 1 } })],
    ['transactions come late', () => ({ include_late: { ledgers: 4, times: 1 } })],
    ['the node lags', () => ({ lag: { ledgers: 4, times: 12 } })],
    ['every second answer is late', () => ({ lag: { ledgers: 4, every: 2 } })],
    ['history is pruned', () => ({ prune: { keep: 1, times: 6 } })],
    ['a ledger is left out', () => ({ ledger_gap: { times: 2 } })],
    ['the node is silent', () => ({ silent: { times: 2 } })],
    ['the node fails', () => ({ server_error: { times: 4 } })],
    ['fees surge', () => ({ fee_surge: { base_fee: 100_000, for_ledgers: 5 } })],
    [
      'the payer may not send for a while',
      ({ payer, network }) => ({
        deauthorise: { account: payer.account, asset_id: network.usdc.assetId, for_ledgers: 4 },
      }),
    ],
    [
      'much goes wrong at once',
      () => ({
        lose_reply: { every: 2 },
        include_late: { ledgers: 2, times: 1 },
        lag: { ledgers: 2, every: 3 },
        server_error: { every: 4 },
      }),
    ],
  ])(
    'counts a payment once and loses nothing when %s',
    async (_, faults) => {
      const before = await received()
      const { id, left } = await payUnder(faults(shop))
      expect(Object.values(left).filter((knob) => 'times' in knob || 'for_ledgers' in knob)).toEqual([])
      expect(await shop.checkout(id)).toMatchObject({ status: 'completed' })
      const payments = await shop.payments(id)
      expect(payments.filter(({ status }) => status === 'confirmed').map(({ amount }) => amount)).toEqual(['10 USDC'])
      expect(payments.filter(({ status }) => status === 'pending')).toEqual([])
      expect(await shop.exceptions()).toEqual([])
      expect((await received()) - before).toBe(100_000_000n)
    },
    60_000,
  )

  it('halts ingestion with an alarm when the next ledger reveals a payment that a node hid', async () => {
    const { id } = await shop.sell()
    await done(shop.billing.payer.submit(id, await built(id)))
    shop.network.wait(1_000)
    set({ lie: { times: 1 } })
    await step()
    shop.network.wait(minuteMs)
    await step()
    expect(shop.worker.halted()).toMatchObject({ _tag: 'ChainBroken' })
    expect(shop.platform.alarms).toMatchObject([{ _tag: 'ChainBroken' }])
    expect(await shop.checkout(id)).toMatchObject({ status: 'open' })
    expect(await shop.payment(id)).toMatchObject({ status: 'pending' })
  })
})
