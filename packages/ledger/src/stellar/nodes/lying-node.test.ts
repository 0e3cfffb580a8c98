import { stroops, TransactionHash, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIngestion } from '../../create-ingestion.ts'
import type { Halted, IngestedLedger } from '../../ingestion.ts'
import { named } from '../../named.ts'
import type { TransactionOutcome } from '../../outcome.ts'
import { isProvenDead } from '../../submission.ts'
import type { NodeBehaviour } from '../../testing/json-rpc-server.ts'
import {
  otherwiseClosed,
  type RawLedger,
  recordedLedgers,
  startNodes,
  underOtherHeader,
  withoutTransactions,
  withResults,
} from '../../testing/ledger-nodes.ts'
import { hashOf, sequence } from '../../testing/ledgers.ts'
import { payee, payer, sandboxPassphrase } from '../../testing/sandbox.ts'
import { NATIVE } from '../assets.ts'
import { buildPayment } from '../build-payment.ts'
import { extractLedger } from '../extractor.ts'

let honest: ReadonlyArray<RawLedger>
let last: number
/** How a transaction ended in the last ledger. */
let ended: TransactionOutcome
beforeAll(async () => {
  honest = await recordedLedgers(3, 'one')
  last = honest.length
  const [outcome] = right(extractLedger(honest.at(-1)?.metadataXdr ?? '', sandboxPassphrase)).outcomesOf(() => true)
  if (outcome === undefined) throw new Error('no transaction')
  ended = outcome
})

let stop: () => Promise<void> = () => Promise.resolve()
afterEach(() => stop())
const start = async (...ledgers: ReadonlyArray<ReadonlyArray<RawLedger>>) => {
  const nodes = await startNodes(ledgers, 300)
  stop = nodes.stop
  const lie = (method: string, behaviour: NodeBehaviour): void => {
    const [liar] = nodes.shown
    if (liar !== undefined) liar.lies = { ...liar.lies, [method]: behaviour }
  }
  return { ...nodes, lie }
}

const result = (ends: xdr.TransactionResultResult): string =>
  new xdr.TransactionResult({ feeCharged: 100n, result: ends, ext: xdr.TransactionResultExt.v0() }).toXdr('base64')
const failure = result(xdr.TransactionResultResult.txBadAuth())
const says = (status: 'SUCCESS' | 'FAILED', ledger: number, createdAt = '1'): NodeBehaviour => ({
  result: { status, ledger, createdAt, resultXdr: failure },
})

const madeUp = named(TransactionHash, hashOf(1))
const unreachable = E.left({ _tag: 'LedgerUnreachable', cause: expect.stringMatching(/./) })
const contradicted = (transactionHash: string, said: 'Succeeded' | 'Failed', ledger: number) => ({
  _tag: 'LookUpContradicted',
  node: 'a',
  transactionHash,
  said,
  ledger,
})

describe("one node's claim that a ledger holds a transaction", () => {
  it.each([
    ['success', 'SUCCESS', 'Succeeded'],
    ['failure', 'FAILED', 'Failed'],
  ] as const)('is no outcome when it makes up a %s, which raises one alarm', async (_, status, said) => {
    const { gateway, lie, alarms } = await start(honest)
    lie('getTransaction', says(status, last))
    expect(await gateway.lookUp(madeUp)()).toEqual(unreachable)
    expect(await gateway.lookUp(madeUp)()).toEqual(unreachable)
    expect(alarms).toEqual([contradicted(madeUp, said, last)])
  })

  it('is no outcome when another node has not found it', async () => {
    const { gateway, lie, alarms } = await start(honest, honest)
    lie('getTransaction', says('SUCCESS', last))
    expect(await gateway.lookUp(madeUp)()).toMatchObject({ right: { _tag: 'NotFound', range: { latest: last } } })
    expect(alarms).toEqual([contradicted(madeUp, 'Succeeded', last)])
  })

  it('is no outcome when the transaction has another outcome, or is in another ledger', async () => {
    const { transactionHash, ledger, closedAt } = ended
    const { gateway, lie, shown, alarms } = await start(honest, honest)
    const [, other] = shown
    if (other === undefined) throw new Error('two nodes')
    other.lies = { getTransaction: says('SUCCESS', last) }
    const succeeded = E.right({ _tag: 'Succeeded', ledger, closedAt })
    lie('getTransaction', says('FAILED', last))
    expect(await gateway.lookUp(transactionHash)()).toEqual(succeeded)
    lie('getTransaction', says('SUCCESS', last - 1))
    expect(await gateway.lookUp(transactionHash)()).toEqual(succeeded)
    expect(alarms).toEqual([contradicted(transactionHash, 'Failed', last)])
  })

  it('takes the close time from the ledger, whatever the node says', async () => {
    const { transactionHash, ledger, closedAt } = ended
    const { gateway, lie, alarms } = await start(honest)
    lie('getTransaction', says('SUCCESS', last, '7'))
    expect(await gateway.lookUp(transactionHash)()).toEqual(E.right({ _tag: 'Succeeded', ledger, closedAt }))
    expect(alarms).toEqual([])
  })

  it.each<[string, number, (ledger: RawLedger) => RawLedger, (ledger: RawLedger) => RawLedger]>([
    ['nobody holds yet', 1, (ledger) => ledger, (ledger) => ledger],
    ['two nodes tell differently', 0, (ledger) => ledger, otherwiseClosed],
    ['nobody can read', 0, withoutTransactions, withoutTransactions],
  ])('stays unconfirmed for a ledger that %s', async (_, ahead, one, other) => {
    const { gateway, lie } = await start(honest.map(one), honest.map(other))
    lie('getTransaction', says('SUCCESS', last + ahead))
    expect(await gateway.lookUp(ended.transactionHash)()).toEqual(unreachable)
  })

  it('raises the alarm anew after a confirmed look-up of that node', async () => {
    const { gateway, lie, alarms } = await start(honest)
    lie('getTransaction', says('SUCCESS', last))
    for (const hash of [madeUp, ended.transactionHash, madeUp]) await gateway.lookUp(hash)()
    expect(alarms.length).toBe(2)
  })
})

describe('outcomes from closed ledgers', () => {
  /** What a ingestion is given of the nodes' last ledgers, after one that it knows. */
  const ingested = async (...ledgers: ReadonlyArray<ReadonlyArray<RawLedger>>) => {
    const { gateway } = await start(...ledgers)
    const handled: Array<IngestedLedger> = []
    const halts: Array<Halted> = []
    const known = right(extractLedger(honest.at(-4)?.metadataXdr ?? '', sandboxPassphrase))
    const ingestion = createIngestion<never>({
      gateway,
      cursor: { load: () => TE.right(known), advance: () => TE.right(true) },
      watched: TE.right(new Set()),
      onLedger: (ledger) => {
        handled.push(ledger)
        return TE.right(undefined)
      },
      alarm: (halted) => halts.push(halted),
      batchSize: 10,
      firstLedger: 'latest',
    })
    await ingestion.step()
    const outcomes = handled.flatMap(({ outcomesOf }) => outcomesOf(() => true))
    return { ledgers: outcomes.map(({ ledger }) => ledger), halts: halts.map(({ _tag }) => _tag) }
  }
  const failed = withResults(() => xdr.TransactionResult.fromXdr(failure, 'base64'))
  const second = (change: (ledger: RawLedger) => RawLedger): ReadonlyArray<RawLedger> =>
    honest.map((each) => (each.sequence === last - 1 ? change(each) : each))

  it('come from an honest node', async () =>
    expect(await ingested(honest)).toEqual({ ledgers: [last - 2, last - 1, last], halts: [] }))

  it.each<[string, string, () => ReadonlyArray<RawLedger>]>([
    ['leaves a ledger out', 'LedgerGap', () => honest.filter((each) => each.sequence !== last - 1)],
    ['fakes a failure', 'LedgerUnreadable', () => second(failed)],
    ['leaves a transaction out', 'LedgerUnreadable', () => second(withoutTransactions)],
  ])('never come from a lone node that %s, where ingestion halts', async (_, halt, ledgers) => {
    const { ledgers: handled, halts } = await ingested(ledgers())
    expect(handled.filter((each) => each >= last - 1)).toEqual([])
    expect(new Set(halts)).toEqual(new Set([halt]))
  })

  it('end at a failure that a node fakes under its own header, since the next ledger names the true one', async () => {
    const { ledgers, halts } = await ingested(second((each) => underOtherHeader(failed(each))))
    expect([ledgers, halts]).toEqual([[last - 2, last - 1], ['ChainBroken']])
  })

  it('never come from it where a second node shows the true ledger, where ingestion halts', async () => {
    const forged = second((each) => underOtherHeader(failed(each)))
    expect(await ingested(forged, honest)).toEqual({ ledgers: [last - 2], halts: ['NodesDisagree'] })
  })
})

describe("one node's claim that a transaction is queued", () => {
  const { envelopeXdr, transactionHash, maxTime } = right(
    buildPayment({
      sourceAccount: payer.accountId,
      accountSequence: 1n,
      destination: payee.accountId,
      assetId: NATIVE,
      amount: stroops(1n),
      memoText: null,
      ledgerClosedAt: unixMs(0),
      lifetimeMs: 60_000,
      fee: stroops(100n),
      networkPassphrase: sandboxPassphrase,
    }),
  )
  const pending = { result: { status: 'PENDING', hash: transactionHash, latestLedger: 20 } }

  it('keeps the bytes from no other node, which gets them first when they are sent again', async () => {
    const { gateway, shown, asked } = await start(honest, honest)
    for (const each of shown) each.sends = pending
    await gateway.submit(envelopeXdr)()
    expect(asked('sendTransaction')).toEqual([1, 0])
    await gateway.submit(envelopeXdr)()
    expect(asked('sendTransaction')).toEqual([1, 1])
    await gateway.submit(envelopeXdr)()
    expect(asked('sendTransaction')).toEqual([2, 1])
  })

  it('is no outcome, since dropped bytes are found nowhere and expire', async () => {
    const { gateway, shown } = await start(honest)
    for (const each of shown) each.sends = pending
    await gateway.submit(envelopeXdr)()
    const lookUp = right(await gateway.lookUp(transactionHash)())
    expect(lookUp._tag).toBe('NotFound')
    const sent = { maxTime, firstSentAt: unixMs(2_000_000), highestLedgerSeen: sequence(last) }
    expect(isProvenDead(lookUp, sent)).toBe(true)
    expect(isProvenDead(lookUp, { ...sent, maxTime: unixMs(2_000_000) })).toBe(false)
  })
})

describe("one node's statement of a balance", () => {
  it('is believed for checks before money moves, but never as an outcome', async () => {
    const { gateway, lie } = await start(honest)
    lie('getLedgerEntries', { result: { entries: [], latestLedger: last } })
    const holding = { account: payee.accountId, assetId: NATIVE }
    expect(await gateway.balances([holding])()).toEqual(E.right([{ ...holding, held: null, asOf: last }]))
    const { ledgers } = right(await gateway.readLedgers(sequence(last), 1, null)())
    const credits = [...ledgers].flatMap(({ incomingPaymentsTo }) => incomingPaymentsTo(new Set([payee.accountId])))
    expect(credits.map(({ transactionHash: hash }) => hash)).toEqual([ended.transactionHash])
  })
})
