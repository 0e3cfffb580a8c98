import { stroops, TransactionHash, unixMs } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../../named.ts'
import { type RawLedger, type Shown, startNodes } from '../../testing/ledger-nodes.ts'
import { hashOf, sequence } from '../../testing/ledgers.ts'
import { payee, payer, sandboxPassphrase } from '../../testing/sandbox.ts'
import { NATIVE } from '../assets.ts'
import { buildPayment } from '../build-payment.ts'

const hash = named(TransactionHash, hashOf(1))

/** Ledgers of which only the numbers matter. */
const until = (newest: number, oldest = 1): ReadonlyArray<RawLedger> =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => ({ sequence: oldest + index, metadataXdr: '' }))

let stop: () => Promise<void> = () => Promise.resolve()
afterEach(() => stop())
const startTwo = async (one: ReadonlyArray<RawLedger>, other: ReadonlyArray<RawLedger>) => {
  const nodes = await startNodes([one, other], 300)
  stop = nodes.stop
  const [first, second] = nodes.shown
  if (first === undefined || second === undefined) throw new Error('two nodes')
  return { ...nodes, first, second }
}
const down: Shown['mood'] = { status: 500, text: 'down' }
const unreachable = E.left({ _tag: 'LedgerUnreachable', cause: expect.stringMatching(/./) })
const notFound = (oldest: number, latest: number) =>
  E.right({ _tag: 'NotFound', range: expect.objectContaining({ oldest, latest }) })

describe('a missing transaction or account', () => {
  it('counts from a node at the highest ledger seen, not from a late one', async () => {
    const { gateway, first, second } = await startTwo(until(19), until(20))
    expect(await gateway.lookUp(hash)()).toEqual(notFound(1, 20))
    expect(await gateway.accountView(payee.accountId, [])()).toEqual(E.right(null))
    second.mood = down
    expect(await gateway.lookUp(hash)()).toEqual(unreachable)
    expect(await gateway.accountView(payee.accountId, [])()).toEqual(unreachable)
    first.ledgers = until(20)
    expect(await gateway.lookUp(hash)()).toEqual(notFound(1, 20))
    expect(await gateway.accountView(payee.accountId, [])()).toEqual(E.right(null))
  })

  it('counts from the node that holds the most ledgers', async () => {
    const { gateway } = await startTwo(until(20, 15), until(20, 3))
    expect(await gateway.lookUp(hash)()).toEqual(notFound(3, 20))
  })

  it('counts after a reset of the network, though a node was at a higher ledger before it went silent', async () => {
    const { gateway, first, second, waits } = await startTwo(until(19), until(20))
    const heads = (latestLedger: number, closed: string) => ({
      getHealth: {
        result: {
          ...{ status: 'healthy', oldestLedger: 1, oldestLedgerCloseTime: '5000' },
          ...{ latestLedger, latestLedgerCloseTime: closed },
        },
      },
    })
    expect(await gateway.lookUp(hash)()).toEqual(notFound(1, 20))
    expect(await gateway.latestLedger()()).toMatchObject({ right: { sequence: 20 } })
    second.mood = down
    first.ledgers = until(3)
    // A node that is merely late closed its ledger before.
    expect(await gateway.latestLedger()()).toMatchObject({ right: { sequence: 3 } })
    expect(await gateway.accountView(payee.accountId, [])()).toEqual(unreachable)
    first.lies = heads(3, '5003')
    expect(await gateway.latestLedger()()).toMatchObject({ right: { sequence: 3 } })
    expect(await gateway.accountView(payee.accountId, [])()).toEqual(E.right(null))
    second.mood = null
    second.ledgers = until(4)
    second.lies = heads(4, '5004')
    first.mood = down
    waits(600_000)
    expect(await gateway.latestLedger()()).toMatchObject({ right: { sequence: 4 } })
    first.mood = null
    second.mood = down
    expect(await gateway.accountView(payee.accountId, [])()).toEqual(unreachable)
  })

  it('counts after a reset of the network, though a node of whose ledgers no close time is known went silent before it', async () => {
    const { gateway, first, second } = await startTwo(until(20), until(25))
    const closed = (latestLedger: number, closeTime: string) => ({
      getHealth: {
        result: {
          ...{ status: 'healthy', oldestLedger: 1, oldestLedgerCloseTime: '5000' },
          ...{ latestLedger, latestLedgerCloseTime: closeTime },
        },
      },
    })
    first.lies = closed(20, '5020')
    expect(await gateway.latestLedger()()).toMatchObject({ right: { sequence: 20 } })
    expect(await gateway.lookUp(hash)()).toEqual(notFound(1, 25))
    second.mood = down
    expect(await gateway.accountView(payee.accountId, [])()).toEqual(unreachable)
    first.ledgers = until(3)
    first.lies = closed(3, '5040')
    expect(await gateway.latestLedger()()).toMatchObject({ right: { sequence: 3 } })
    expect(await gateway.accountView(payee.accountId, [])()).toEqual(E.right(null))
  })

  it("counts despite a higher ledger of another network's node", async () => {
    const { gateway, second, alarms } = await startTwo(until(20), until(900))
    second.passphrase = 'Another Network'
    expect(await gateway.lookUp(hash)()).toEqual(notFound(1, 20))
    expect(await gateway.latestLedger()()).toMatchObject({ right: { sequence: 20 } })
    expect(alarms.length).toBe(1)
  })
})

describe('a node that fails', () => {
  it('is refused, with an alarm, when it comes back as one of another network', async () => {
    const { gateway, first, second, waits, alarms } = await startTwo(until(20), until(20))
    first.mood = down
    second.mood = down
    expect(await gateway.latestLedger()()).toEqual(unreachable)
    for (const each of [first, second]) Object.assign(each, { mood: null, passphrase: 'Another Network' })
    waits(60_000)
    expect(await gateway.latestLedger()()).toEqual(
      E.left({ _tag: 'LedgerUnreachable', cause: 'b is of another network: Another Network' }),
    )
    const because = { _tag: 'OtherNetwork', passphrase: 'Another Network' }
    expect(alarms).toEqual(['a', 'b'].map((node) => ({ _tag: 'NodeSetAside', node, because })))
  })

  it('rests, twice as long each time, while the other is asked; then it is asked again', async () => {
    const { gateway, first, asked, waits } = await startTwo(until(20), until(20))
    const read = () => gateway.readLedgers(sequence(21), 1, null)()
    first.mood = down
    await read()
    await read()
    expect(asked('getNetwork')).toEqual([1, 1])
    waits(1000)
    await read()
    waits(1999)
    await read()
    expect(asked('getNetwork')).toEqual([2, 1])
    waits(1)
    first.mood = null
    await read()
    expect(asked('getNetwork')).toEqual([3, 1])
    expect(asked('getHealth')[0]).toBe(1)
  })

  it('is asked last after its rest, until it responds', async () => {
    const { gateway, first, asked, waits } = await startTwo(until(20), until(20))
    first.mood = 'silence'
    await gateway.latestLedger()()
    waits(60_000)
    await gateway.latestLedger()()
    await gateway.accountView(payee.accountId, [])()
    expect(asked('getNetwork')).toEqual([1, 1])
  })

  it('is asked again when the other fails too', async () => {
    const { gateway, first, second } = await startTwo(until(20), until(20))
    first.mood = down
    await gateway.latestLedger()()
    first.mood = null
    second.mood = down
    expect(await gateway.latestLedger()()).toMatchObject({ right: { sequence: 20 } })
  })
})

describe('fee statistics', () => {
  it('come from the first node that responds, late or not', async () => {
    const { gateway, first, second, asked } = await startTwo(until(19), until(20))
    expect(await gateway.feeStats()()).toMatchObject({ right: { asOf: 19, classic: { p95: 100n } } })
    expect(asked('getFeeStats')).toEqual([1, 0])
    first.mood = down
    expect(await gateway.feeStats()()).toMatchObject({ right: { asOf: 20 } })
    second.mood = down
    expect(await gateway.feeStats()()).toEqual(
      E.left({ _tag: 'FeeStatsUnavailable', cause: expect.stringMatching(/./) }),
    )
  })
  it('never come from a node of another network', async () => {
    const { gateway, first, alarms } = await startTwo(until(19), until(20))
    first.passphrase = 'Another Network'
    expect(await gateway.feeStats()()).toMatchObject({ right: { asOf: 20 } })
    expect(alarms.length).toBe(1)
  })
})

const payment = buildPayment({
  sourceAccount: payer.accountId,
  accountSequence: 1n,
  destination: payee.accountId,
  assetId: NATIVE,
  amount: stroops(1n),
  memoText: '',
  ledgerClosedAt: unixMs(0),
  lifetimeMs: 60_000,
  fee: stroops(100n),
  networkPassphrase: sandboxPassphrase,
})
if (E.isLeft(payment)) throw new Error(payment.left._tag)
const { envelopeXdr, transactionHash } = payment.right

describe('entries and simulations', () => {
  it('come from a node at the highest ledger', async () => {
    const { gateway, first, second } = await startTwo(until(19), until(20))
    const failed = (latestLedger: number) => ({ result: { latestLedger, error: 'HostError: Error(Contract, #9)' } })
    first.lies = { simulateTransaction: failed(19) }
    second.lies = { simulateTransaction: failed(20) }
    expect(await gateway.lookUp(hash)()).toEqual(notFound(1, 20))
    expect(await gateway.entries([])()).toEqual(E.right({ entries: new Map(), asOf: 20 }))
    expect(await gateway.simulate(envelopeXdr)()).toMatchObject(E.right({ contractError: 9, asOf: 20 }))
    second.mood = down
    expect([await gateway.entries([])(), await gateway.simulate(envelopeXdr)()]).toEqual([unreachable, unreachable])
  })
})

describe('a submission', () => {
  const queued = { result: { status: 'PENDING', hash: transactionHash, latestLedger: 20 } }
  const late = { result: { status: 'TRY_AGAIN_LATER', hash: transactionHash, latestLedger: 20 } }

  it('goes to the next node with the same bytes while its outcome is unknown', async () => {
    const { gateway, second, calls } = await startTwo(until(20), until(20))
    second.sends = queued
    expect(await gateway.submit(envelopeXdr)()).toEqual(
      E.right({ _tag: 'Queued', transactionHash, latestLedger: sequence(20) }),
    )
    const sent = calls.flatMap((each) => each.filter(({ method }) => method === 'sendTransaction'))
    expect(sent.map(({ params }) => params)).toEqual([{ transaction: envelopeXdr }, { transaction: envelopeXdr }])
  })

  it('goes to one node when that reports an outcome', async () => {
    const { gateway, first, asked } = await startTwo(until(20), until(20))
    first.sends = late
    expect(await gateway.submit(envelopeXdr)()).toEqual(E.left({ _tag: 'TryAgainLater', latestLedger: 20 }))
    expect(asked('sendTransaction')).toEqual([1, 0])
  })

  it('stays unknown when no node reports an outcome', async () => {
    const { gateway, second } = await startTwo(until(20), until(20))
    second.sends = 'silence'
    expect(await gateway.submit(envelopeXdr)()).toEqual(
      E.left({ _tag: 'OutcomeUnknown', cause: expect.stringMatching(/./) }),
    )
  })
})
