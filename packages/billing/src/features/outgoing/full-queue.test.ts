import { type IntentId, LedgerSequence, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { LedgerGateway, SubmitFailure } from '@quittance/ledger'
import type { Faults } from '@quittance/sandbox'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { biddings, crowded, ledgerMs } from '../../testing/bids.ts'
import { dyingAfter, heldUpAt, ProcessDied } from '../../testing/failing-stores.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform } from '../../testing/platform.ts'
import { openTill, type Till } from '../../testing/till.ts'
import { units } from '../../testing/wallets.ts'
import { createWorker } from '../../worker/worker.ts'
import type { SettlementTrouble } from './trouble.ts'

let till: Till
let opened: Array<TestPlatform>
beforeAll(async () => {
  till = await openTill()
  // Its channels are set up, and a first payment is through.
  await till.want()
  await ledgers(3)
})
beforeEach(() => {
  opened = []
})
afterEach(async () => {
  fault({})
  for (const each of opened) await each.close()
  await ledgers(3)
})
afterAll(() => till.close())

const fault = (faults: Faults): void => void right(till.network.sandbox.faults.set(faults))
const ledgers = async (count: number, ms = ledgerMs): Promise<void> => {
  for (let n = 0; n < count; n++) await till.pass(ms)
}
const paidBy = async (work: () => Promise<unknown>): Promise<bigint> => {
  const before = await till.balanceOf(till.payer.account)
  await work()
  return (await till.balanceOf(till.payer.account)) - before
}
const biddingOf = async (id: IntentId) => {
  const { attachedTo } = await till.intent(id)
  return present((await biddings(till.platform, 'testnet')).find(({ hash }) => hash === attachedTo))
}
/** Another process on the same store, which a test may wrap, and on the same network, of which it may see other answers. */
const another = async (
  wrapped?: Parameters<typeof openPlatform>[2],
  changed: Partial<LedgerGateway> = {},
): Promise<TestPlatform> => {
  const seen = till.network.seen()
  const network = { ...till.network, seen: () => ({ ...seen, gateway: { ...seen.gateway, ...changed } }) }
  const platform = await openPlatform(network, till.folder.path, wrapped)
  opened.push(platform)
  return platform
}

describe('a payment whose bid is too low for the ledgers that close', () => {
  it('raises a bid that is too low every four ledgers until a ledger includes it, and pays once', async () => {
    fault(crowded(5_000))
    const id = await till.want()
    await till.step()
    expect(await paidBy(() => ledgers(10))).toBe(units(1))
    expect(await biddingOf(id)).toMatchObject({ bids: [100n, 1_000n, 10_000n], waits: [4, 4], end: 'succeeded' })
    expect(await till.intent(id)).toMatchObject({ status: 'settled', attempts: 0 })
    expect(till.worker.troubles()).toEqual([])
  })

  it('raises a bid once when two workers run', async () => {
    fault(crowded(5_000))
    const second = await another()
    const id = await till.want()
    await Promise.all([till.step(), done(second.worker.step)])
    const paid = await paidBy(async () => {
      for (let n = 0; n < 10; n++) {
        till.network.wait(ledgerMs)
        await Promise.all([till.step(), done(second.worker.step)])
      }
    })
    expect(paid).toBe(units(1))
    expect(await biddingOf(id)).toMatchObject({ bids: [100n, 1_000n, 10_000n], waits: [4, 4] })
  })

  it('raises a bid once when another worker bids another amount at the same moment', async () => {
    const stats = await done(till.network.gateway.feeStats())
    fault(crowded(5_000))
    const id = await till.want()
    await till.step()
    await ledgers(3)
    till.network.wait(ledgerMs)
    // The other worker reads other fees, so that its bump differs.
    const feeStats: LedgerGateway['feeStats'] = () =>
      TE.right({ ...stats, classic: { ...stats.classic, max: stroops(7_777n) } })
    const held = await another(heldUpAt(1, till.step), { feeStats })
    await done(held.worker.step)
    await ledgers(6)
    expect(await biddingOf(id)).toMatchObject({ bids: [100n, 1_000n, 10_000n], waits: [4, 4], end: 'succeeded' })
  })

  it.each<SubmitFailure>([
    { _tag: 'TryAgainLater', latestLedger: decoded(LedgerSequence, 1) },
    { _tag: 'BadSequence' },
    { _tag: 'Expired' },
    { _tag: 'OutcomeUnknown', cause: 'a test' },
  ])('raises a bid after four ledgers when a node answers $_tag', async (answer) => {
    const submit: LedgerGateway['submit'] = () => TE.left(answer)
    const deaf = await another(undefined, { submit })
    const id = await till.want()
    await done(deaf.worker.step)
    for (let n = 0; n < 5; n++) {
      till.network.wait(ledgerMs)
      await done(deaf.worker.step)
    }
    expect(await biddingOf(id)).toMatchObject({ waits: [4], end: null })
    expect(await paidBy(() => ledgers(2))).toBe(units(1))
  })

  it('keeps a bid at its cap, raises a trouble, and resubmits it until a ledger includes it, even after its hash was banned', async () => {
    fault(crowded(200_000))
    const id = await till.want()
    await till.step()
    await ledgers(16)
    const capped = await biddingOf(id)
    expect(capped).toMatchObject({ bids: [100n, 1_000n, 10_000n, 100_000n], waits: [4, 4, 4], end: null })
    expect(till.worker.troubles()).toMatchObject([{ _tag: 'FeeCapReached', feeCap: 100_000n }])
    // Its last bid was just dropped and banned for ten ledgers: they fit into its time where ledgers close fast.
    fault({})
    expect(await paidBy(() => ledgers(12, 1_000))).toBe(units(1))
    expect(await till.intent(id)).toMatchObject({ status: 'settled', attempts: 0, attachedTo: capped.hash })
    expect(till.worker.troubles()).toEqual([])
  })
})

describe('a payment whose bid is at its cap', () => {
  it('raises one trouble for a bid at its cap, whether a node rejects, takes or ignores the bid for some ledgers', async () => {
    const raised: Array<SettlementTrouble> = []
    const services = { ...till.services, networks: { ...till.services.networks, testnet: network() } }
    const worker = present(
      createWorker(services, 'testnet', () => undefined, { onTrouble: (trouble) => raised.push(trouble) }),
    )
    const id = await till.want()
    // Raises the bid to its cap at once, and is too low at that again.
    answer = 'FeeTooLow'
    await done(worker.step)
    const { hash } = await biddingOf(id)
    const cap = { _tag: 'FeeCapReached', transactionHash: hash, feeCap: 100_000n }
    for (const each of ['FeeTooLow', 'TryAgainLater', 'FeeTooLow', 'TryAgainLater', 'TryAgainLater'] as const) {
      answer = each
      till.network.wait(1_000)
      await done(worker.step)
      expect(worker.troubles()).toEqual([cap])
    }
    expect(raised).toEqual([cap])
    answer = null
    expect(await paidBy(() => ledgers(3))).toBe(units(1))
    await done(worker.step)
    expect(worker.troubles()).toEqual([])
  })

  let answer: 'FeeTooLow' | 'TryAgainLater' | null = null
  const network = () => {
    const known = present(till.services.networks.testnet)
    const submit: LedgerGateway['submit'] = (envelope) => {
      switch (answer) {
        case 'FeeTooLow':
          return TE.left({ _tag: 'FeeTooLow' })
        case 'TryAgainLater':
          return TE.left({ _tag: 'TryAgainLater', latestLedger: decoded(LedgerSequence, 1) })
        case null:
          return known.gateway.submit(envelope)
      }
    }
    return { ...known, gateway: { ...known.gateway, submit } }
  }
})

describe('more payments than a ledger has room for', () => {
  const want = async (howMany: number): Promise<ReadonlyArray<IntentId>> => {
    const wanted: Array<IntentId> = []
    for (let n = 0; n < howMany; n++) wanted.push(await till.want())
    return wanted
  }
  const operationsOf = async (wanted: ReadonlyArray<IntentId>): Promise<ReadonlyArray<number>> => {
    const all = (await till.transactions()).map(({ row }) => row.intents.filter((id) => wanted.includes(id)).length)
    return all.filter((operations) => operations > 0)
  }
  const statusesOf = async (wanted: ReadonlyArray<IntentId>) => [
    ...new Set((await Promise.all(wanted.map(till.intent))).map(({ status, attempts }) => `${status} ${attempts}`)),
  ]

  it('splits many payments into transactions that fit into a ledger with their fee bump', async () => {
    fault({ ledger_room: { operations: 20 } })
    await ledgers(1)
    const wanted = await want(40)
    await till.step()
    expect(await paidBy(() => ledgers(4))).toBe(units(40))
    expect((await operationsOf(wanted)).toSorted((one, other) => one - other)).toEqual([2, 19, 19])
    expect(till.worker.troubles()).toEqual([])
  })

  it('fits many payments into ledgers in a process that has just started', async () => {
    fault({ ledger_room: { operations: 4 } })
    await ledgers(1)
    const second = await another()
    const wanted = await want(4)
    await done(second.worker.step)
    expect((await operationsOf(wanted)).toSorted((one, other) => one - other)).toEqual([1, 3])
    expect(await paidBy(() => ledgers(2))).toBe(units(4))
  })

  it('builds smaller transactions once a larger one is dead, when ledgers shrink, and pays each payment once', async () => {
    const wanted = await want(40)
    await till.step()
    fault({ ledger_room: { operations: 20 } })
    expect(await paidBy(() => ledgers(20))).toBe(0n)
    expect(await operationsOf(wanted)).toEqual([40])
    expect(await paidBy(() => ledgers(12))).toBe(units(40))
    expect((await operationsOf(wanted)).toSorted((one, other) => one - other)).toEqual([2, 19, 19, 40])
    expect(await statusesOf(wanted)).toEqual(['settled 1'])
    expect(await paidBy(() => ledgers(6))).toBe(0n)
  })
})

describe('a payment that a node silently drops', () => {
  it('resubmits a silently dropped payment with each ledger, at the same bid', async () => {
    fault({ drop: { times: 3 } })
    const id = await till.want()
    await till.step()
    expect(await paidBy(() => ledgers(3))).toBe(0n)
    expect(await paidBy(() => ledgers(2))).toBe(units(1))
    expect(await biddingOf(id)).toMatchObject({ bids: [100n], waits: [], end: 'succeeded' })
  })
})

describe('a process that dies while it raises a bid', () => {
  it('pays once when a process dies after any append while it raises a bid, and waits four ledgers for each bid', async () => {
    fault(crowded(5_000))
    let deaths = 0
    for (; deaths < 40; deaths++) {
      const id = await till.want()
      const dying = await another(dyingAfter(deaths + 1))
      let isAlive = true
      const paid = await paidBy(async () => {
        for (let n = 0; n < 6 && isAlive; n++) {
          isAlive = await survives(dying)
          till.network.wait(ledgerMs)
        }
        await ledgers(12)
      })
      expect(paid).toBe(units(1))
      const { waits, bids } = await biddingOf(id)
      expect(waits.every((each) => each >= 4)).toBe(true)
      expect(bids).toEqual([100n, 1_000n, 10_000n])
      if (isAlive) break
    }
    expect(deaths).toBeGreaterThan(4)
    expect(deaths).toBeLessThan(40)
  })

  const survives = async (process: TestPlatform): Promise<boolean> => {
    try {
      await done(process.worker.step)
      return true
    } catch (defect) {
      if (defect instanceof ProcessDied) return false
      throw defect
    }
  }
})
