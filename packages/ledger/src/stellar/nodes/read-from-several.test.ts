import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIngestion } from '../../create-ingestion.ts'
import type { Cursor, Halted, IngestedLedger } from '../../ingestion.ts'
import {
  otherwiseClosed,
  type RawLedger,
  recordedLedgers,
  startNodes,
  withoutChanges,
  withoutTransactions,
} from '../../testing/ledger-nodes.ts'
import { sequence } from '../../testing/ledgers.ts'
import { payee } from '../../testing/sandbox.ts'

let honest: ReadonlyArray<RawLedger>
let other: ReadonlyArray<RawLedger>
let last: number
beforeAll(async () => {
  honest = await recordedLedgers(8, 'one')
  other = await recordedLedgers(8, 'other')
  last = honest.length
})

const changedAt = (number: number, change: (ledger: RawLedger) => RawLedger): ReadonlyArray<RawLedger> =>
  honest.map((each) => (each.sequence === number ? change(each) : each))

const stops: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A ingestion over nodes that tell these ledgers, the last seven, each of which brings payee a payment. */
const ingesting = async (ledgers: ReadonlyArray<ReadonlyArray<RawLedger>>, timeoutMs?: number) => {
  const nodes = await startNodes(ledgers, timeoutMs)
  stops.push(nodes.stop)
  const handled: Array<IngestedLedger> = []
  const alarms: Array<Halted> = []
  const state: { cursor: Cursor | null } = { cursor: null }
  const ingestion = createIngestion<never>({
    gateway: nodes.gateway,
    cursor: {
      load: () => TE.right(state.cursor),
      advance: (_, to) => {
        state.cursor = to
        return TE.right(true)
      },
    },
    watched: TE.right(new Set([payee.accountId])),
    onLedger: (ledger) => {
      handled.push(ledger)
      return TE.right(undefined)
    },
    alarm: (halted) => alarms.push(halted),
    batchSize: 2,
    firstLedger: sequence(last - 6),
  })
  const reached = (): number | undefined => handled.at(-1)?.sequence
  return { ...nodes, ingestion, handled, halts: alarms, state, reached }
}

const all = (): ReadonlyArray<number> => Array.from({ length: 7 }, (_, index) => last - 6 + index)
const sequencesOf = (handled: ReadonlyArray<IngestedLedger>) => handled.map((each) => each.sequence)

describe('ledgers read from two nodes', () => {
  it('are handled once each, though both hold them', async () => {
    const { ingestion, handled, asked } = await ingesting([honest, honest])
    expect(E.isRight(await ingestion.step())).toBe(true)
    expect(sequencesOf(handled)).toEqual(all())
    expect(handled.map(({ incomingPayments }) => incomingPayments.length)).toEqual(all().map(() => 1))
    expect(handled.map(({ outcomesOf }) => outcomesOf(() => true).map(({ _tag }) => _tag))).toEqual(
      all().map(() => ['Succeeded']),
    )
    expect(asked('getLedgers')).toEqual([4, 4])
  })

  it.each([
    ['is silent', 'silence' as const],
    ['answers with a server error', { status: 500, text: 'overloaded' }],
    ['answers nonsense', { result: { ledgers: 'none' } }],
  ])('come from the other when one %s', async (_, mood) => {
    const { ingestion, handled, shown, alarms } = await ingesting([honest, honest], 300)
    if (shown[0] !== undefined) shown[0].mood = mood
    await ingestion.step()
    expect(sequencesOf(handled)).toEqual(all())
    expect(alarms).toEqual([])
  })

  it('are unreachable when neither responds', async () => {
    const { ingestion, shown, halts } = await ingesting([honest, honest])
    for (const each of shown) each.mood = { status: 500, text: 'overloaded' }
    expect(await ingestion.step()).toMatchObject({ left: { _tag: 'LedgerUnreachable' } })
    expect(halts).toEqual([])
  })

  it('come from the node that still holds them, unless both have pruned them', async () => {
    const pruned = honest.slice(-3)
    const { ingestion, handled, halts } = await ingesting([pruned, honest])
    await ingestion.step()
    expect(sequencesOf(handled)).toEqual(all())
    const { ingestion: late, halts: raised } = await ingesting([pruned, honest.slice(-2)])
    const halted = { _tag: 'RangePruned', from: last - 6, oldest: last - 2 }
    expect(await late.step()).toEqual(E.left(halted))
    expect([halts, raised]).toEqual([[], [halted]])
  })

  it('wait for a node that is at most three ledgers late', async () => {
    const three = await ingesting([honest, honest.slice(0, -3)])
    await three.ingestion.step()
    expect(three.reached()).toBe(last - 3)
    const four = await ingesting([honest, honest.slice(0, -4)])
    await four.ingestion.step()
    expect(four.reached()).toBe(last)
  })

  it('halt ingestion, naming both nodes, when these show one ledger under two hashes', async () => {
    const { ingestion, state, halts } = await ingesting([honest, changedAt(last - 3, otherwiseClosed)])
    const halted = { _tag: 'NodesDisagree', sequence: last - 3, about: 'hash', nodes: ['a', 'b'] }
    expect(await ingestion.step()).toEqual(E.left(halted))
    expect(halts).toEqual([halted])
    expect(state.cursor?.sequence).toBe(last - 4)
  })

  it("halt ingestion when one forges a payment's changes, which no header covers", async () => {
    for (const forged of [0, 1]) {
      const ledgers = [honest, changedAt(last - 3, withoutChanges)]
      const { ingestion, state } = await ingesting(forged === 0 ? ledgers.reverse() : ledgers)
      expect(await ingestion.step()).toEqual(
        E.left({ _tag: 'NodesDisagree', sequence: last - 3, about: 'credits', nodes: ['a', 'b'] }),
      )
      expect(state.cursor?.sequence).toBe(last - 4)
    }
  })

  it('leave out a node that alters transactions under an honest header, with an alarm', async () => {
    const { ingestion, handled, alarms, halts } = await ingesting([changedAt(last - 3, withoutTransactions), honest])
    await ingestion.step()
    expect(sequencesOf(handled)).toEqual(all())
    expect(alarms).toEqual([
      {
        _tag: 'NodeSetAside',
        node: 'a',
        because: { _tag: 'LedgerUnreadable', sequence: last - 3, cause: expect.stringMatching(/other results/) },
      },
    ])
    expect(halts).toEqual([])
  })

  it('leave out a node that does not continue our history, until it does', async () => {
    const { ingestion, reached, alarms, shown, asked } = await ingesting([
      honest.slice(0, last - 3),
      honest.slice(0, last - 3),
    ])
    await ingestion.step()
    const [first, second] = shown
    if (first === undefined || second === undefined) throw new Error('two nodes')
    first.ledgers = other
    second.ledgers = honest.slice(0, last - 1)
    await ingestion.step()
    expect(reached()).toBe(last - 1)
    expect(alarms).toMatchObject([{ node: 'a', because: { _tag: 'ChainBroken', sequence: last - 2 } }])
    first.ledgers = honest
    second.mood = { status: 500, text: 'down' }
    await ingestion.step()
    expect(reached()).toBe(last)
    second.mood = null
    second.ledgers = honest
    const before = asked('getHealth')[0] ?? 0
    await ingestion.step()
    expect(asked('getHealth')[0]).toBeGreaterThan(before)
    expect(alarms.length).toBe(1)
  })

  it('halt ingestion when no node continues our history', async () => {
    const { ingestion, state, halts, shown, alarms } = await ingesting([honest.slice(0, -2), honest.slice(0, -2)])
    await ingestion.step()
    for (const each of shown) each.ledgers = other
    expect(await ingestion.step()).toMatchObject({ left: { _tag: 'ChainBroken', sequence: last - 1 } })
    expect(halts.length).toBe(1)
    expect(alarms).toEqual([])
    expect(state.cursor?.sequence).toBe(last - 2)
  })

  it('come from the other when one went back to its beginning', async () => {
    const { ingestion, reached, shown, halts } = await ingesting([honest.slice(0, -2), honest.slice(0, -2)])
    await ingestion.step()
    const [first, second] = shown
    if (first === undefined || second === undefined) throw new Error('two nodes')
    first.ledgers = other.slice(0, 2)
    second.ledgers = honest
    await ingestion.step()
    expect(reached()).toBe(last)
    expect(halts).toEqual([])
  })

  it('never come from a node of another network, which raises one alarm', async () => {
    const { ingestion, handled, shown, alarms, asked } = await ingesting([honest, honest])
    if (shown[0] !== undefined) shown[0].passphrase = 'Another Network'
    await ingestion.step()
    await ingestion.step()
    expect(sequencesOf(handled)).toEqual(all())
    expect(asked('getLedgers')).toEqual([0, 4])
    expect(alarms).toEqual([
      { _tag: 'NodeSetAside', node: 'a', because: { _tag: 'OtherNetwork', passphrase: 'Another Network' } },
    ])
  })
})
