import { type AccountId, issuerOf } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { rpc, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import type { ClosedLedger } from '../gateway.ts'
import type { IncomingPayment } from '../incoming-payment.ts'
import { conformanceFiles, conformanceJson, conformanceLines, describeConformance } from '../testing/conformance.ts'
import { rebound, underOwnHeader } from '../testing/rebound.ts'
import { nobody, payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { addressOf } from './addresses.ts'
import { decodeCloseMeta } from './close-meta.ts'
import { signedTransaction } from './envelope.ts'
import { extractLedger } from './extractor.ts'
import { sha256 } from './transaction-hash.ts'

type LedgerLine = {
  readonly source: string
  readonly group: string
  readonly ledger: number
  readonly hash: string
  readonly xdr: string
}
type Change = {
  readonly source: string
  readonly ledger: number
  readonly txHash: string
  readonly account: string
  readonly asset: string
  readonly operations: Readonly<Record<string, string>>
}
type Index = { readonly groups: ReadonlyArray<{ readonly group: string; readonly networkPassphrase: string }> }

/** Watches every account there is. */
class Everyone extends Set<AccountId> {
  override has(): boolean {
    return true
  }
}

const key = (...parts: ReadonlyArray<string | number>): string => parts.join(' ')

/** What credits of one operation, account and asset brought together. */
const creditKeys = (credits: ReadonlyArray<IncomingPayment>): ReadonlyArray<string> => {
  const sums = new Map<string, bigint>()
  for (const { transactionHash, operationIndex, destination, assetId, amount } of credits) {
    const name = key(transactionHash, operationIndex, destination, assetId)
    sums.set(name, (sums.get(name) ?? 0n) + amount)
  }
  return [...sums].map(([name, sum]) => key(name, sum.toString()))
}

const waysOfBeingPaid = ['payment', 'createAccount', 'accountMerge', 'claimClaimableBalance', 'invokeHostFunction']

/** Whether what an operation brings to an account is a payment: of a payment's path, only what its destination gets. */
const pays = ({ body }: xdr.Operation, account: string): boolean =>
  body.type === 'pathPaymentStrictReceive' || body.type === 'pathPaymentStrictSend'
    ? addressOf(body.value.destination).account === account
    : waysOfBeingPaid.includes(body.type)

/** What a ledger's payments brought, as the balances alone prove. */
const provenCredits = (
  line: LedgerLine,
  networkPassphrase: string,
  changes: ReadonlyArray<Change>,
): ReadonlyArray<string> => {
  const sent = new Map<string, ReadonlyArray<xdr.Operation>>(
    decodeCloseMeta(line.xdr, networkPassphrase, identity).transactions.map(({ transactionHash, envelope }) => [
      transactionHash,
      signedTransaction(envelope).operations,
    ]),
  )
  return changes.flatMap(({ txHash, account, asset, operations }) =>
    Object.entries(operations)
      .filter(([index, part]) => {
        const operation = sent.get(txHash)?.[Number(index)]
        return BigInt(part) > 0n && operation !== undefined && pays(operation, account)
      })
      .map(([index, part]) => key(txHash, index, account, asset, part)),
  )
}

describe('a closed ledger', () => {
  let network: StartedSandbox
  let paid: { readonly transactionHash: string; readonly envelopeXdr: string; readonly meta: xdr.LedgerCloseMetaV2 }
  beforeAll(async () => {
    network = await startSandbox()
    paid = await closedWith(await network.built())
  })
  afterAll(() => network.stop())

  /** Puts a transaction of payer's into a ledger and gives that ledger as the node does. */
  const closedWith = async ({ envelopeXdr, transactionHash }: { envelopeXdr: string; transactionHash: string }) => {
    right(await network.gateway.submit(network.signed(envelopeXdr))())
    const { sequence } = network.sandbox.close()
    const node = new rpc.Server(network.url, { allowHttp: true })
    const [ledger] = (await node.getLedgers({ startLedger: sequence, pagination: { limit: 1 } })).ledgers
    if (ledger?.metadataXdr.type !== 'v2') throw new Error('no ledger')
    return { transactionHash, envelopeXdr, meta: ledger.metadataXdr.v2 }
  }
  const read = (meta: xdr.LedgerCloseMetaV2) =>
    extractLedger(xdr.LedgerCloseMeta.v2(meta).toXdr('base64'), sandboxPassphrase)
  const creditsIn = (meta: xdr.LedgerCloseMetaV2) => right(read(meta)).incomingPaymentsTo(new Set([payee.accountId]))

  /** The ledger with its transaction sent and ended in another way. */
  const changed = (
    { meta }: { readonly meta: xdr.LedgerCloseMetaV2 },
    envelope: xdr.TransactionEnvelope,
    transactionHash: Uint8Array,
    result: xdr.TransactionResultResult,
  ) => {
    const [processed] = meta.txProcessing
    if (processed === undefined) throw new Error('no transaction')
    const component = xdr.TxSetComponent.txsetCompTxsMaybeDiscountedFee(
      new xdr.TxSetComponentTxsMaybeDiscountedFee({ baseFee: null, txs: [envelope] }),
    )
    const { previousLedgerHash } = meta.txSet.v1TxSet
    const phases = [xdr.TransactionPhase.v0Components([component])]
    const pair = new xdr.TransactionResultPair({
      transactionHash,
      result: new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() }),
    })
    return rebound(
      new xdr.LedgerCloseMetaV2({
        ...meta,
        txSet: xdr.GeneralizedTransactionSet.v1TxSet(new xdr.TransactionSetV1({ previousLedgerHash, phases })),
        txProcessing: [new xdr.TransactionResultMetaV1({ ...processed, result: pair })],
      }),
    )
  }
  const paymentSuccess = xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()))

  it('brings nothing by a failed transaction whose operations say success', () => {
    const envelope = xdr.TransactionEnvelope.fromXdr(paid.envelopeXdr, 'base64')
    const hash = Buffer.from(paid.transactionHash, 'hex')
    const ledgerWith = (result: xdr.TransactionResultResult) => changed(paid, envelope, hash, result)
    expect(creditsIn(ledgerWith(xdr.TransactionResultResult.txFailed([paymentSuccess])))).toEqual([])
    expect(creditsIn(ledgerWith(xdr.TransactionResultResult.txSuccess([paymentSuccess]))).length).toBe(1)
  })

  it('names a payment in a fee bump by its outer hash, with the inner hash and memo', () => {
    const inner = TransactionBuilder.fromXdr(paid.envelopeXdr, sandboxPassphrase)
    if ('innerTransaction' in inner) throw new Error('not a fee bump yet')
    const outer = TransactionBuilder.buildFeeBumpTransaction(nobody.accountId, '1000', inner, sandboxPassphrase)
    const answering = (result: xdr.InnerTransactionResultResult) =>
      new xdr.InnerTransactionResultPair({
        transactionHash: inner.hash(),
        result: new xdr.InnerTransactionResult({
          feeCharged: 0n,
          result,
          ext: xdr.InnerTransactionResultExt.v0(),
        }),
      })
    const succeeded = answering(xdr.InnerTransactionResultResult.txSuccess([paymentSuccess]))
    const failed = answering(xdr.InnerTransactionResultResult.txFailed([paymentSuccess]))
    const ended = xdr.TransactionResultResult
    const [plain] = creditsIn(paid.meta)
    expect(plain).not.toHaveProperty('innerHash')
    expect(creditsIn(changed(paid, outer.toEnvelope(), outer.hash(), ended.txFeeBumpInnerSuccess(succeeded)))).toEqual([
      { ...plain, transactionHash: Buffer.from(outer.hash()).toString('hex'), innerHash: plain?.transactionHash },
    ])
    expect(creditsIn(changed(paid, outer.toEnvelope(), outer.hash(), ended.txFeeBumpInnerFailed(failed)))).toEqual([])
  })

  it('has no incoming payment to oneself or to the issuer', async () => {
    const issuer = issuerOf(network.usdc)
    if (issuer === null) throw new Error('USDC has an issuer')
    for (const destination of [payer.accountId, issuer]) {
      const built = await network.built({ destination })
      const { meta } = await closedWith(built)
      expect(right(await network.gateway.lookUp(built.transactionHash)())._tag).toBe('Succeeded')
      expect(right(read(meta)).incomingPaymentsTo(new Everyone())).toEqual([])
    }
  })

  it.each<[string, (meta: xdr.LedgerCloseMetaV2) => xdr.LedgerCloseMetaV2]>([
    [
      'whose header was changed under its hash',
      (meta) =>
        new xdr.LedgerCloseMetaV2({
          ...meta,
          ledgerHeader: new xdr.LedgerHeaderHistoryEntry({ ...meta.ledgerHeader, hash: new Uint8Array(32) }),
        }),
    ],
    [
      'with a result of a transaction that it does not hold',
      (meta) => changed({ meta }, nothing(), new Uint8Array(32), failed),
    ],
    [
      'whose transactions were changed under an honest header',
      (meta) =>
        new xdr.LedgerCloseMetaV2({
          ...changed({ meta }, nothing(), Buffer.from(paid.transactionHash, 'hex'), failed),
          ledgerHeader: meta.ledgerHeader,
          txProcessing: meta.txProcessing,
        }),
    ],
    [
      'whose results were changed under an honest header',
      (meta) =>
        new xdr.LedgerCloseMetaV2({
          ...changed({ meta }, nothing(), Buffer.from(paid.transactionHash, 'hex'), failed),
          ledgerHeader: meta.ledgerHeader,
          txSet: meta.txSet,
        }),
    ],
  ])('%s cannot be read', (_, change) =>
    expect(read(change(paid.meta))).toEqual(E.left({ _tag: 'UnreadableMeta', cause: expect.stringMatching(/./) })),
  )

  it.each([
    [0, E.right([])],
    [1, E.left({ _tag: 'UnreadableMeta', cause: expect.stringMatching(/names other transactions/) })],
  ])('of protocol %d whose header names other transactions', (ledgerVersion, credits) => {
    const { ledgerHeader } = paid.meta
    const scpValue = new xdr.StellarValue({ ...ledgerHeader.header.scpValue, txSetHash: new Uint8Array(32) })
    const header = new xdr.LedgerHeader({ ...ledgerHeader.header, scpValue, ledgerVersion })
    const hash = Buffer.from(sha256(header.toXdr()))
    const entry = new xdr.LedgerHeaderHistoryEntry({ ...ledgerHeader, header, hash })
    const found = read(new xdr.LedgerCloseMetaV2({ ...paid.meta, ledgerHeader: entry }))
    expect(E.map((ledger: ClosedLedger) => ledger.incomingPaymentsTo(new Everyone()))(found)).toEqual(credits)
  })
  it('of protocol 0 states its own hash', () => {
    const { ledgerHeader } = paid.meta
    const header = new xdr.LedgerHeader({ ...ledgerHeader.header, ledgerVersion: 0 })
    const entry = new xdr.LedgerHeaderHistoryEntry({ ...ledgerHeader, header })
    expect(E.isLeft(read(new xdr.LedgerCloseMetaV2({ ...paid.meta, ledgerHeader: entry })))).toBe(true)
  })
  const nothing = () => xdr.TransactionEnvelope.fromXdr(paid.envelopeXdr, 'base64')
  const failed = xdr.TransactionResultResult.txBadSeq()

  it.each(['', 'AAAA', 'no base64 at all'])('is not %p', (text) =>
    expect(extractLedger(text, sandboxPassphrase)).toEqual(
      E.left({ _tag: 'UnreadableMeta', cause: expect.stringMatching(/./) }),
    ),
  )
})

describeConformance('reading the ledgers that others published', () => {
  const { groups } = conformanceJson<Index>('ledger-close-meta/index.json')
  const passphrases = new Map(groups.map(({ group, networkPassphrase }) => [group, networkPassphrase]))
  const passphraseOf = ({ group }: LedgerLine): string => passphrases.get(group) ?? 'unknown group'
  const expected = Map.groupBy(conformanceLines<Change>('expected-credits.jsonl.gz'), ({ source, ledger }) =>
    key(source, ledger),
  )

  describe.each(conformanceFiles('ledger-close-meta', '.jsonl.gz'))('%s', (file) => {
    const lines = conformanceLines<LedgerLine>(file).map(underOwnHeader)

    it('reads every ledger, with every hash recomputed', () => {
      expect(lines.length).toBeGreaterThan(0)
      const read = lines.map((line) => extractLedger(line.xdr, passphraseOf(line)))
      expect(read.map(E.map(({ sequence, hash }) => key(sequence, hash)))).toEqual(
        lines.map(({ ledger, hash }) => E.right(key(ledger, hash))),
      )
    })

    it('finds exactly the incoming payments that the balances prove', () => {
      for (const line of lines) {
        const ledger = extractLedger(line.xdr, passphraseOf(line))
        if (E.isLeft(ledger)) throw new Error(ledger.left.cause)
        const proven = provenCredits(line, passphraseOf(line), expected.get(key(line.source, line.ledger)) ?? [])
        expect(creditKeys(ledger.right.incomingPaymentsTo(new Everyone())).toSorted()).toEqual(proven.toSorted())
      }
    })

    it('refuses every ledger with transactions when it is read for another network', () => {
      for (const line of lines) {
        const { transactions } = decodeCloseMeta(line.xdr, passphraseOf(line), identity)
        const read = extractLedger(line.xdr, 'Another Network')
        expect(E.isLeft(read)).toBe(transactions.length > 0)
      }
    })
  })
})
