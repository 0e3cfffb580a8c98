import { CheckoutId, minuteMs, unixMs } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import type { LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { done, refused } from '../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../testing/platform.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'
import { units } from '../testing/wallets.ts'

/** `isHalted`: no node holds the next ledger. `isLate`: the newest ledger closed ten minutes ago. */
const knobs = { isHalted: false, isLate: false }
let submitted: Array<string> = []

const watched = (gateway: LedgerGateway): LedgerGateway => ({
  ...gateway,
  readLedgers: (from, limit, after) => async () => {
    if (knobs.isHalted) return E.left({ _tag: 'RangePruned', from, oldest: from })
    const read = await gateway.readLedgers(from, limit, after)()
    if (E.isLeft(read) || !knobs.isLate) return read
    const { latest } = read.right
    return E.right({ ...read.right, latest: { ...latest, closedAt: unixMs(latest.closedAt - 10 * minuteMs) } })
  },
  submit: (envelope) => {
    submitted = [...submitted, envelope]
    return gateway.submit(envelope)
  },
})

describe('a service that has just started, with a refund to send', () => {
  let front: StoreFront
  let started: TestPlatform
  beforeEach(async () => {
    Object.assign(knobs, { isHalted: false, isLate: false })
    front = await openStoreFront({}, (network) => ({ ...network, gateway: watched(network.gateway) }))
    const refunds = refundsIn(front)
    await done(refunds.request(await refunds.paid()))
    front.network.wait(5_000)
    started = await openPlatform(front.network, front.folder.path)
    submitted = []
  })
  afterEach(async () => {
    await started.close()
    await front.close()
  })
  const step = () => done(started.worker.step)

  it('sends it in the step that ingests the ledgers from before the start', async () => {
    await step()
    expect(submitted).toHaveLength(1)
  })

  it('sends nothing while ingestion is halted, and sends it afterwards', async () => {
    knobs.isHalted = true
    expect(await refused(started.worker.step)).toMatchObject({ _tag: 'RangePruned' })
    expect(submitted).toEqual([])
    knobs.isHalted = false
    await step()
    expect(submitted).toHaveLength(1)
  })

  it('sends nothing while the network makes no progress, and sends it afterwards', async () => {
    knobs.isLate = true
    await step()
    await step()
    expect(submitted).toEqual([])
    knobs.isLate = false
    await step()
    expect(submitted).toHaveLength(1)
  })

  describe('relays what payers have signed', () => {
    const signed = async (id: string) => {
      const maxTime = Math.floor(front.network.now() / 1_000) + 300
      const sending = { to: front.account, asset: front.network.usdc.assetId, parts: [units(10)] }
      return front.payer.signedPayment({ ...sending, memo: await front.memoOf(id) }, maxTime)
    }

    it('before that, since it moves only the payer’s money, and to the merchant', async () => {
      const { id } = await front.sell()
      knobs.isHalted = true
      await refused(started.worker.step)
      const envelope = await signed(id)
      await done(started.billing.payer.submit(id, envelope))
      expect(submitted).toEqual([envelope])
    })

    it('also for a session that a ledger to be ingested has paid already: the second payment goes back', async () => {
      const { id } = await front.sell()
      const sending = { to: front.account, asset: front.network.usdc.assetId, parts: [units(10)] }
      front.payer.pay({ ...sending, memo: await front.memoOf(id) })
      await done(started.billing.payer.submit(id, await signed(id)))
      for (let ledgers = 0; ledgers < 4; ledgers++) {
        front.network.wait(5_000)
        await step()
      }
      expect(await front.checkout(id)).toMatchObject({ status: 'completed' })
      const found = (await (await front.platform.shown()).exceptions.all()).filter(
        ({ row }) => row.details.checkoutId === id,
      )
      expect(found).toMatchObject([
        { row: { details: { amount: units(10) }, status: 'resolved', returnEnd: { _tag: 'returned' } } },
      ])
    })

    it('never for a session that the log does not know', async () => {
      const { id } = await front.sell()
      const unknown = exampleId(CheckoutId, 9)
      expect(await refused(started.billing.payer.submit(unknown, await signed(id)))).toMatchObject({
        _tag: 'CheckoutNotFound',
      })
      expect(submitted).toEqual([])
    })
  })

  it('goes on sending when the network stands still later', async () => {
    await step()
    knobs.isLate = true
    front.network.wait(5_000)
    await step()
    const refunds = refundsIn(front)
    const { length } = submitted
    await done(refunds.request(await refunds.paid()))
    await step()
    expect(submitted.length).toBeGreaterThan(length)
  })
})
