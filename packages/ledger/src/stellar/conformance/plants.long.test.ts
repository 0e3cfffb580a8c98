import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { AccountId, AssetId, OperationIndex, stroops, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import type { ClosedLedger } from '../../gateway.ts'
import type { IncomingPayment, Memo } from '../../incoming-payment.ts'
import type { Movement } from '../../movement.ts'
import { conformanceJson, conformanceLines, describeConformance } from '../../testing/conformance.ts'
import { type Comparison, compareFolder, type LedgerReader, productionReader } from './compare.ts'
import type { KnownChange, PublishedLedger } from './published.ts'

const strictSendOfOne = '17dc19a6'
const toMuxedAddress = '22254617'
const failedThoughResultsSaySuccess = 'cb7f10ef'
const stranger = decoded(AccountId, 'GBRPYHIL2CI3FNQ4BXLFMNDLFJUNPU2HY3ZMFSHONUCEOASW7QC7OX2H')

/** What a reader with a bug makes of a ledger. */
type Plant = (ledger: ClosedLedger) => ClosedLedger

const payments =
  (change: (payment: IncomingPayment, place: number) => ReadonlyArray<IncomingPayment>): Plant =>
  (ledger) => ({ ...ledger, incomingPaymentsTo: (watched) => ledger.incomingPaymentsTo(watched).flatMap(change) })

const everyPayment = (change: (payment: IncomingPayment) => Partial<IncomingPayment>): Plant =>
  payments((payment) => [{ ...payment, ...change(payment) }])

const movements =
  (change: (movement: Movement) => Partial<Movement>): Plant =>
  (ledger) => ({
    ...ledger,
    movementsOf: (watched) => ledger.movementsOf(watched).map((each) => ({ ...each, ...change(each) })),
  })

const offByOne = (kind: Movement['_tag']): Plant =>
  movements(({ _tag, delta }) => (_tag === kind ? { delta: delta + 1n } : {}))

const otherMemo = (memo: Memo): Memo => (memo._tag === 'id' ? { _tag: 'text', value: memo.value } : memo)

/** Counts the attempt of a failed transaction, which its fee shows to have been there. */
const countingFailed: Plant = (ledger) => ({
  ...ledger,
  incomingPaymentsTo: (watched) => [
    ...ledger.incomingPaymentsTo(watched),
    ...ledger
      .movementsOf({ has: () => true })
      .filter(({ transactionHash }) => transactionHash.startsWith(failedThoughResultsSaySuccess))
      .map(
        ({ transactionHash, ledger: sequence, closedAt, account, assetId, memo }): IncomingPayment => ({
          kind: 'payment',
          transactionHash,
          operationIndex: decoded(OperationIndex, 0),
          ledger: sequence,
          closedAt,
          from: stranger,
          fromMuxedId: null,
          fromContract: null,
          destination: account,
          muxedId: null,
          assetId,
          amount: stroops(1n),
          memo,
        }),
      ),
  ],
})

const ofAnotherIssuer = (assetId: AssetId): AssetId =>
  assetId === 'native' ? assetId : decoded(AssetId, assetId.replace(/:.*/, `:${stranger}`))

const nothingRead: Plant = (ledger) => ({ ...ledger, incomingPaymentsTo: () => [], movementsOf: () => [] })

describeConformance('a reader with a planted bug', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-plants-'))
    mkdirSync(join(folder, 'ledger-close-meta'))
    const write = (file: string, lines: ReadonlyArray<object>): void =>
      writeFileSync(join(folder, file), gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
    const known = conformanceLines<KnownChange>('expected-credits.jsonl.gz')
    const keyOf = ({ source, ledger }: { readonly source: string; readonly ledger: number }) => `${source} ${ledger}`
    const wanted = new Set(known.filter(({ txHash }) => txHash.startsWith(toMuxedAddress)).map(keyOf))
    const groups = ['mainnet', 'testnet', 'bulk-transfers', 'FrozenLedgerKeysTests', 'InvokeHostFunctionTests']
    const ledgers = groups
      .flatMap((group) => conformanceLines<PublishedLedger>(`ledger-close-meta/${group}.jsonl.gz`))
      .filter((each) => each.group !== 'InvokeHostFunctionTests' || wanted.has(keyOf(each)))
    const held = new Set(ledgers.map(keyOf))
    write('ledger-close-meta/ledgers.jsonl.gz', ledgers)
    write(
      'expected-credits.jsonl.gz',
      known.filter((each) => held.has(keyOf(each))),
    )
    const index = conformanceJson<object>('ledger-close-meta/index.json')
    writeFileSync(join(folder, 'ledger-close-meta', 'index.json'), JSON.stringify(index))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  /** What the command reports of a reader. */
  const reportOf = async (reader: LedgerReader): Promise<Comparison & { readonly differences: number }> => {
    let differences = 0
    const comparison = await compareFolder(folder, () => differences++, reader)
    return { ...comparison, differences }
  }
  const withPlant = (plant: Plant): LedgerReader => ({
    read: (...ledger) => E.map(plant)(productionReader.read(...ledger)),
    readComposed: (...ledger) => plant(productionReader.readComposed(...ledger)),
  })

  it('is told from one without', async () => {
    const { differences, contradictions, unreadable, refused } = await reportOf(productionReader)
    expect({ differences, contradictions, unreadable, refused }).toEqual({
      differences: 0,
      contradictions: 0,
      unreadable: 0,
      refused: 1,
    })
  })

  it.each<[string, Plant]>([
    ['names a wrong sender', everyPayment(() => ({ from: stranger }))],
    ['drops muxed ids', everyPayment(() => ({ muxedId: null }))],
    ['takes a memo of an id for a text', everyPayment(({ memo }) => ({ memo: otherMemo(memo) }))],
    ['is off by a stroop in fees', offByOne('fee')],
    ['is off by a stroop in refunds', offByOne('fee_refund')],
    [
      'takes path payments for payments',
      everyPayment(({ kind }) => ({ kind: kind === 'path_payment' ? 'payment' : kind })),
    ],
    [
      'counts operations from 1',
      everyPayment(({ operationIndex }) => ({ operationIndex: decoded(OperationIndex, operationIndex + 1) })),
    ],
    ['counts a payment twice', payments((payment, place) => (place === 0 ? [payment, payment] : [payment]))],
    ['misses a payment', payments((payment, place) => (place === 0 ? [] : [payment]))],
    ['names another issuer', everyPayment(({ assetId }) => ({ assetId: ofAnotherIssuer(assetId) }))],
    [
      'takes the requested amount for the delivered one',
      everyPayment(({ transactionHash, amount }) => ({
        amount: transactionHash.startsWith(strictSendOfOne) ? stroops(1n) : amount,
      })),
    ],
    ['counts a failed transaction', countingFailed],
    ['names a wrong destination', everyPayment(() => ({ destination: stranger }))],
    ['closes ledgers a second late', (ledger) => ({ ...ledger, closedAt: unixMs(ledger.closedAt + 1_000) })],
    ['drops the hash inside a fee bump', payments(({ innerHash: _, ...payment }) => [payment])],
    ['names another hash of a ledger', (ledger) => ({ ...ledger, hash: ledger.previousHash })],
  ])('is caught when it %s', async (_, plant) => {
    const { differences, contradictions } = await reportOf(withPlant(plant))
    expect({ isCaught: differences > 0, contradictions }).toEqual({ isCaught: true, contradictions: differences })
  })

  it('is caught when it does not check what a header covers', async () => {
    const { readComposed } = productionReader
    const report = await reportOf({ readComposed, read: (...ledger) => E.right(readComposed(...ledger)) })
    expect(report).toMatchObject({ refused: 0, contradictions: 1, differences: 1 })
  })

  it('is caught when it takes a ledger that it cannot read for an empty one', async () => {
    let read = 0
    const report = await reportOf(withPlant((ledger) => (read++ === 0 ? nothingRead(ledger) : ledger)))
    expect(report.differences).toBeGreaterThan(0)
    expect(report.missing + report.contradictions).toBe(report.differences)
  })

  it('is caught, and its ledger counted, when it cannot read one', async () => {
    let read = 0
    const unreadable = E.left({ _tag: 'UnreadableMeta' as const, cause: 'a test' })
    const report = await reportOf({
      ...productionReader,
      read: (...ledger) => (read++ === 0 ? unreadable : productionReader.read(...ledger)),
    })
    expect(report.unreadable).toBe(1)
    expect(report.differences).toBe(1 + report.missing)
  })
})
