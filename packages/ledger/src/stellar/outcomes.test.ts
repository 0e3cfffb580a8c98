import type { LedgerSequence, TransactionHash } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { Asset, Operation, rpc, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { type RawLedger, underOtherHeader, withoutTransactions, withResults } from '../testing/ledger-nodes.ts'
import { sequence } from '../testing/ledgers.ts'
import { outgoing } from '../testing/outgoing.ts'
import { nobody, payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { extractLedger } from './extractor.ts'

let network: StartedSandbox
let out: ReturnType<typeof outgoing>
beforeAll(async () => {
  network = await startSandbox()
  out = outgoing(network)
})
afterAll(() => network.stop())

const pays = (...destinations: ReadonlyArray<string>) =>
  out.built(
    destinations.map((destination) => Operation.payment({ destination, asset: Asset.native(), amount: '0.0000001' })),
  )
/** The same transaction at payee's cost. */
const bumped = (envelopeXdr: string) => out.bumped(envelopeXdr, payee, 1_000n)

/** The ledger that closes with this in it, as the node tells it. */
const closedWith = async (envelopeXdr: string): Promise<RawLedger> => {
  right(await out.sent(envelopeXdr))
  const node = new rpc.Server(network.url, { allowHttp: true })
  const startLedger = network.sandbox.close().sequence
  const [ledger] = (await node._getLedgers({ startLedger, pagination: { limit: 1 } })).ledgers
  if (ledger === undefined) throw new Error('no ledger')
  return { sequence: ledger.sequence, metadataXdr: ledger.metadataXdr }
}

const read = ({ metadataXdr }: RawLedger) => extractLedger(metadataXdr, sandboxPassphrase)

const outcomesIn = (ledger: RawLedger, ...ours: ReadonlyArray<TransactionHash>) =>
  right(read(ledger)).outcomesOf((hash) => ours.includes(hash))

const closing = (ledger: RawLedger): { readonly ledger: LedgerSequence; readonly closedAt: number } => ({
  ledger: sequence(ledger.sequence),
  closedAt: right(read(ledger)).closedAt,
})

describe('the outcomes of our transactions in a closed ledger', () => {
  it('name the fee of a success and who paid it', async () => {
    const { envelopeXdr, transactionHash } = await pays(payee.accountId, payee.accountId)
    const ledger = await closedWith(envelopeXdr)
    expect(outcomesIn(ledger, transactionHash)).toEqual([
      {
        _tag: 'Succeeded',
        transactionHash,
        innerHash: null,
        ...closing(ledger),
        code: 'txSuccess',
        operationCodes: ['paymentSuccess', 'paymentSuccess'],
        feeCharged: 200n,
        feeSource: payer.accountId,
      },
    ])
  })

  it('name the operation that made a transaction fail, and the fee that it cost', async () => {
    const { envelopeXdr, transactionHash } = await pays(payee.accountId, nobody.accountId)
    const ledger = await closedWith(envelopeXdr)
    expect(outcomesIn(ledger, transactionHash)).toEqual([
      {
        _tag: 'Failed',
        transactionHash,
        innerHash: null,
        ...closing(ledger),
        code: 'txFailed',
        operationCodes: ['paymentSuccess', 'paymentNoDestination'],
        feeCharged: 200n,
        feeSource: payer.accountId,
      },
    ])
  })

  it.each([
    ['succeeded', payee.accountId, { _tag: 'Succeeded', code: 'txSuccess', operationCodes: ['paymentSuccess'] }],
    ['failed', nobody.accountId, { _tag: 'Failed', code: 'txFailed', operationCodes: ['paymentNoDestination'] }],
  ])('find one that %s inside a fee bump by either hash', async (_, destination, ended) => {
    const { envelopeXdr, transactionHash: innerHash } = await pays(destination)
    const { envelopeXdr: bump, transactionHash } = bumped(envelopeXdr)
    const ledger = await closedWith(bump)
    const outcome = {
      ...ended,
      transactionHash,
      innerHash,
      ...closing(ledger),
      feeCharged: 200n,
      feeSource: payee.accountId,
    }
    expect(outcomesIn(ledger, innerHash)).toEqual([outcome])
    expect(outcomesIn(ledger, transactionHash)).toEqual([outcome])
  })

  it('leave out transactions of others', async () => {
    const { envelopeXdr, transactionHash } = await pays(payee.accountId)
    const ledger = await closedWith(envelopeXdr)
    const asked: Array<string> = []
    const outcomes = right(read(ledger)).outcomesOf((hash) => {
      asked.push(hash)
      return false
    })
    expect([outcomes, asked]).toEqual([[], [transactionHash]])
  })
})

const resultOf = (changed: Partial<xdr.TransactionResult>) => (result: xdr.TransactionResult) =>
  new xdr.TransactionResult({ ...result, ...changed })

describe('a fee bump that failed by itself', () => {
  it('is no outcome of the inner transaction, which a ledger may still take', async () => {
    const { envelopeXdr, transactionHash: innerHash } = await pays(payee.accountId)
    const { envelopeXdr: bump, transactionHash } = bumped(envelopeXdr)
    const failed = resultOf({ result: xdr.TransactionResultResult.txBadAuth() })
    const ledger = underOtherHeader(withResults(failed)(await closedWith(bump)))
    expect(outcomesIn(ledger, innerHash)).toEqual([
      {
        _tag: 'BumpFailed',
        transactionHash,
        innerHash,
        ...closing(ledger),
        code: 'txBadAuth',
        operationCodes: [],
        feeCharged: 200n,
        feeSource: payee.accountId,
      },
    ])
  })
})

describe('outcomes that a node forges', () => {
  const Result = xdr.TransactionResultResult
  const paid = [xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess()))]
  const underfunded = xdr.OperationResultTr.payment(xdr.PaymentResult.paymentUnderfunded())
  it.each([
    ['a failure', withResults(resultOf({ result: Result.txFailed([xdr.OperationResult.opInner(underfunded)]) }))],
    ['another fee', withResults(resultOf({ feeCharged: 1n }))],
    ['a ledger without the transaction', withoutTransactions],
  ])('make the ledger unreadable, or another one under another hash: %s', async (_, forged) => {
    const { envelopeXdr } = await pays(payee.accountId)
    const ledger = await closedWith(envelopeXdr)
    expect(read(forged(ledger))).toEqual(
      E.left({ _tag: 'UnreadableMeta', cause: expect.stringMatching('the header names other results') }),
    )
    expect(right(read(underOtherHeader(forged(ledger)))).hash).not.toBe(right(read(ledger)).hash)
  })
  it('make the ledger unreadable under any header where a success has no effect', async () => {
    const { envelopeXdr } = await pays(nobody.accountId)
    const forged = withResults(resultOf({ result: Result.txSuccess(paid) }))(await closedWith(envelopeXdr))
    expect(read(underOtherHeader(forged))).toEqual(
      E.left({ _tag: 'UnreadableMeta', cause: expect.stringMatching('not as many outcomes') }),
    )
  })

  const innerPair = (hash: Uint8Array, result: xdr.InnerTransactionResultResult) =>
    new xdr.InnerTransactionResultPair({
      transactionHash: hash,
      result: new xdr.InnerTransactionResult({ feeCharged: 0n, result, ext: xdr.InnerTransactionResultExt.v0() }),
    })
  const Inner = xdr.InnerTransactionResultResult
  it.each<[string, (innerHash: Uint8Array) => xdr.TransactionResultResult]>([
    ['answers as if it were none', () => Result.txSuccess(paid)],
    [
      'answers for another transaction',
      () => Result.txFeeBumpInnerFailed(innerPair(new Uint8Array(32), Inner.txBadAuth())),
    ],
    ['succeeded with one that failed', (hash) => Result.txFeeBumpInnerSuccess(innerPair(hash, Inner.txBadAuth()))],
    ['failed with one that succeeded', (hash) => Result.txFeeBumpInnerFailed(innerPair(hash, Inner.txSuccess(paid)))],
  ])('make the ledger unreadable under any header where a fee bump %s', async (_, forged) => {
    const { envelopeXdr, transactionHash } = await pays(payee.accountId)
    const result = forged(Buffer.from(transactionHash, 'hex'))
    const ledger = await closedWith(bumped(envelopeXdr).envelopeXdr)
    expect(read(underOtherHeader(withResults(resultOf({ result }))(ledger)))).toEqual(
      E.left({ _tag: 'UnreadableMeta', cause: expect.stringMatching('a fee bump') }),
    )
  })
})
