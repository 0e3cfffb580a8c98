import { minuteMs, unixMs } from '@quittance/domain'
import type { LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { done, refused } from '../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../testing/platform.ts'
import { refundsIn } from '../testing/refunds.ts'
import { openStoreFront, type StoreFront } from '../testing/store-front.ts'

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
    front = await openStoreFront({}, (network) => ({ ...network, gateway: watched(network.gateway) }))
    const refunds = refundsIn(front)
    await done(refunds.request(await refunds.paid()))
    front.network.wait(5_000)
    started = await openPlatform(front.network, front.folder.path)
    submitted = []
    Object.assign(knobs, { isHalted: false, isLate: false })
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
