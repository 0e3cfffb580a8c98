import { stroops, TransactionHash, unixMs } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../named.ts'
import type { SubmitFailure } from '../submission.ts'
import { against, answering, networkPassphrase } from '../testing/against-node.ts'
import { type Call, type NodeBehaviour, startNode } from '../testing/json-rpc-server.ts'
import { feesOf } from '../testing/ledger-nodes.ts'
import { alice, hashOf, sequence } from '../testing/ledgers.ts'
import { startSandbox } from '../testing/sandbox.ts'
import { NATIVE } from './assets.ts'
import { buildPayment } from './build-payment.ts'
import { rpcGateway } from './rpc-gateway.ts'

const hash = named(TransactionHash, hashOf(1))

const payment = () => {
  const built = buildPayment({
    sourceAccount: alice,
    accountSequence: 1n,
    destination: alice,
    assetId: NATIVE,
    amount: stroops(1n),
    memoText: '',
    ledgerClosedAt: unixMs(0),
    lifetimeMs: 60_000,
    fee: stroops(100n),
    networkPassphrase,
  })
  if (E.isLeft(built)) throw new Error(built.left._tag)
  return built.right
}

const health = {
  status: 'healthy',
  latestLedger: 20,
  latestLedgerCloseTime: '100',
  oldestLedger: 10,
  oldestLedgerCloseTime: '50',
}

describe('the newest ledger', () => {
  it('has a close time that is written as text', () =>
    against(answering(health), async (gateway) =>
      expect(await gateway.latestLedger()()).toEqual(E.right({ sequence: 20, closedAt: 100_000 })),
    ))
  it('has a close time that is written as a number', () =>
    against(answering({ ...health, latestLedgerCloseTime: 100 }), async (gateway) =>
      expect(await gateway.latestLedger()()).toEqual(E.right({ sequence: 20, closedAt: 100_000 })),
    ))
})

describe('a node whose health has no close times', () => {
  const { latestLedgerCloseTime: _, oldestLedgerCloseTime: __, ...old } = health
  const { status: ___, ...range } = health
  const behave =
    (found: unknown) =>
    ({ method }: Call): NodeBehaviour => ({ result: method === 'getHealth' ? old : found })

  it('reveals its range in the look-up of an impossible transaction', () =>
    against(behave({ status: 'NOT_FOUND', ...range }), async (gateway, calls) => {
      expect(await gateway.latestLedger()()).toEqual(E.right({ sequence: 20, closedAt: 100_000 }))
      expect(calls.map(({ method }) => method)).toEqual(['getHealth', 'getTransaction'])
      expect(calls[1]?.params).toEqual({ hash: '0'.repeat(64) })
    }))
  it('is unreachable where that has no close times either', () =>
    against(behave({ status: 'NOT_FOUND', latestLedger: 20, oldestLedger: 10 }), async (gateway) =>
      expect(await gateway.latestLedger()()).toMatchObject(E.left({ _tag: 'LedgerUnreachable' })),
    ))
  it('is read like any other', async () => {
    const network = await startSandbox()
    network.sandbox.faults.set({ old_health: {} })
    try {
      const { envelopeXdr } = await network.built()
      expect(await network.credited(network.signed(envelopeXdr))).toHaveLength(1)
      const { sequence: last, closeTime } = network.sandbox.close()
      const head = { sequence: last, closedAt: Number(closeTime) * 1_000 }
      expect(await network.gateway.latestLedger()()).toEqual(E.right(head))
      expect(await network.gateway.readLedgers(sequence(last + 1), 5, null)()).toMatchObject(
        E.right({ through: null, latest: head }),
      )
    } finally {
      await network.stop()
    }
  })
})

describe('reading ledgers', () => {
  const latest = { sequence: 20, closedAt: 100_000 }
  const nothingUntil20 = { node: expect.any(String), ledgers: [], through: null, latest, twin: null }
  const reading = (from: number, ledgers: NodeBehaviour) =>
    against(
      ({ method }) => (method === 'getHealth' ? { result: health } : ledgers),
      async (gateway, calls) => ({ read: await gateway.readLedgers(sequence(from), 5, null)(), calls }),
    )

  it('requests none that has not closed', async () => {
    const { read, calls } = await reading(21, 'silence')
    expect(read).toEqual(E.right(nothingUntil20))
    expect(calls.map(({ method }) => method)).toEqual(['getHealth'])
  })
  it('names the oldest ledger when the node has pruned the requested one', async () => {
    const { read } = await reading(9, 'silence')
    expect(read).toEqual(E.left({ _tag: 'RangePruned', from: 9, oldest: 10 }))
  })
  it('requests the oldest ledger and up to the limit', async () => {
    const { read, calls } = await reading(10, { result: { ledgers: [] } })
    expect(read).toEqual(E.right(nothingUntil20))
    expect(calls[1]).toEqual({ method: 'getLedgers', params: { startLedger: 10, pagination: { limit: 5 } } })
  })
  it('names the ledger that it cannot read', async () => {
    const { read } = await reading(10, { result: { ledgers: [{ sequence: 10, metadataXdr: 'AAAA' }] } })
    expect(read).toEqual(E.left({ _tag: 'LedgerUnreadable', sequence: 10, cause: expect.stringMatching(/./) }))
  })
})

describe('submitting', () => {
  const { envelopeXdr, transactionHash } = payment()
  const submitting = (behaviour: NodeBehaviour, envelope = envelopeXdr) =>
    against(
      () => behaviour,
      async (gateway, calls) => ({ outcome: await gateway.submit(envelope)(), calls }),
    )
  const sent = (status: string, more = {}): NodeBehaviour => ({
    result: { status, hash: transactionHash, latestLedger: 20, latestLedgerCloseTime: '100', ...more },
  })
  const refusedWith = (result: xdr.TransactionResultResult): NodeBehaviour => {
    const whole = new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() })
    return sent('ERROR', { errorResultXdr: whole.toXdr('base64') })
  }
  const Result = xdr.TransactionResultResult

  it.each(['PENDING', 'DUPLICATE'])('is queued with %s, by the hash known before', async (status) => {
    const { outcome, calls } = await submitting(sent(status))
    expect(outcome).toEqual(E.right({ _tag: 'Queued', transactionHash, latestLedger: 20 }))
    expect(calls).toEqual([{ method: 'sendTransaction', params: { transaction: envelopeXdr } }])
  })
  it('is tried again later when the queue has no room for it', async () =>
    expect((await submitting(sent('TRY_AGAIN_LATER'))).outcome).toEqual(
      E.left({ _tag: 'TryAgainLater', latestLedger: 20 }),
    ))

  it.each<[string, xdr.TransactionResultResult, SubmitFailure]>([
    ['txTooEarly', Result.txTooEarly(), { _tag: 'TryAgainLater', latestLedger: sequence(20) }],
    ['txBadSeq', Result.txBadSeq(), { _tag: 'BadSequence' }],
    ['txTooLate', Result.txTooLate(), { _tag: 'Expired' }],
    ['txInsufficientFee', Result.txInsufficientFee(), { _tag: 'FeeTooLow' }],
    [
      'txInsufficientBalance',
      Result.txInsufficientBalance(),
      { _tag: 'FeeSourceCannotPay', code: 'txInsufficientBalance' },
    ],
    ['txNoAccount', Result.txNoAccount(), { _tag: 'FeeSourceCannotPay', code: 'txNoAccount' }],
    ['txSorobanInvalid', Result.txSorobanInvalid(), { _tag: 'SimulateAgain' }],
    ['txInternalError', Result.txInternalError(), { _tag: 'OutcomeUnknown', cause: 'refused with txInternalError' }],
    ['txBadAuth', Result.txBadAuth(), { _tag: 'Refused', code: 'txBadAuth', operationCodes: [] }],
    ['txBadAuthExtra', Result.txBadAuthExtra(), { _tag: 'Refused', code: 'txBadAuthExtra', operationCodes: [] }],
    ['txMalformed', Result.txMalformed(), { _tag: 'Refused', code: 'txMalformed', operationCodes: [] }],
    [
      'txFailed, with what each operation was refused for',
      Result.txFailed([
        xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentMalformed())),
        xdr.OperationResult.opBadAuth(),
      ]),
      { _tag: 'Refused', code: 'txFailed', operationCodes: ['paymentMalformed', 'opBadAuth'] },
    ],
  ])('fails by what to do next after %s', async (_, result, failure) =>
    expect((await submitting(refusedWith(result))).outcome).toEqual(E.left(failure)),
  )

  it('is refused when the node cannot read it', async () =>
    expect((await submitting({ error: { code: -32602, message: 'invalid params' } })).outcome).toEqual(
      E.left({ _tag: 'Refused', code: 'invalidParams', operationCodes: [] }),
    ))
  it.each(['AAAA', ` ${envelopeXdr}`, ''])(
    'is refused without asking anyone for bytes that are not canonical',
    async (text) => {
      const { outcome, calls } = await submitting(sent('PENDING'), text)
      expect(outcome).toEqual(E.left({ _tag: 'Refused', code: 'malformedEnvelope', operationCodes: [] }))
      expect(calls).toEqual([])
    },
  )
  it('has an unknown outcome when the refusal cannot be read', async () =>
    expect((await submitting(sent('ERROR', { errorResultXdr: 'AAAA' }))).outcome).toEqual(
      E.left({ _tag: 'OutcomeUnknown', cause: expect.stringMatching(/./) }),
    ))
})

describe('looking a transaction up', () => {
  const looking = (result: unknown) => against(answering(result), (gateway) => gateway.lookUp(hash)())
  const found = { ledger: 15, createdAt: '75', latestLedger: 20, latestLedgerCloseTime: 100 }
  const failed = new xdr.TransactionResult({
    feeCharged: 100n,
    result: xdr.TransactionResultResult.txFailed([
      xdr.OperationResult.opInner(xdr.OperationResultTr.payment(xdr.PaymentResult.paymentUnderfunded())),
    ]),
    ext: xdr.TransactionResultExt.v0(),
  }).toXdr('base64')

  it('finds it in its ledger', async () =>
    expect(await looking({ ...found, status: 'SUCCESS', resultXdr: '' })).toEqual(
      E.right({ _tag: 'Succeeded', ledger: 15, closedAt: 75_000 }),
    ))
  it('finds why it failed in its ledger', async () =>
    expect(await looking({ ...found, status: 'FAILED', resultXdr: failed })).toEqual(
      E.right({
        _tag: 'Failed',
        ledger: 15,
        closedAt: 75_000,
        code: 'txFailed',
        operationCodes: ['paymentUnderfunded'],
      }),
    ))
  it("returns the node's range of ledgers where it is not found", async () =>
    expect(await looking({ ...health, latestLedger: 20, status: 'NOT_FOUND' })).toEqual(
      E.right({
        _tag: 'NotFound',
        range: { oldest: 10, oldestClosedAt: 50_000, latest: 20, latestClosedAt: 100_000 },
      }),
    ))
})

describe('fee statistics', () => {
  const told = { sorobanInclusionFee: feesOf('0'), inclusionFee: { ...feesOf('100'), p95: '2500' }, latestLedger: 20 }
  const charged = (fee: bigint) =>
    expect.objectContaining({ min: fee, mode: fee, p10: fee, p50: fee, p99: fee, max: fee })

  it('are the charged fees, and the base fee where none was charged', () =>
    against(answering(told), async (gateway) => {
      const stats = await gateway.feeStats()()
      expect(stats).toEqual(E.right({ classic: charged(100n), contract: charged(100n), asOf: 20 }))
      expect(stats).toMatchObject({ right: { classic: { p90: 100n, p95: 2500n }, contract: { p95: 100n } } })
    }))
  it.each<[string, NodeBehaviour]>([
    ['no percentile', { result: { ...told, inclusionFee: { max: '100' } } }],
    ['a negative fee', { result: { ...told, inclusionFee: feesOf('-1') } }],
    ['a fee beyond all money', { result: { ...told, inclusionFee: feesOf('9223372036854775808') } }],
    ['an error', { error: { code: -32601, message: 'no such method' } }],
    ['silence', 'silence'],
  ])('are unavailable from a node that returns %s', (_, behaviour) =>
    against(
      () => behaviour,
      async (gateway) =>
        expect(await gateway.feeStats()()).toEqual(
          E.left({ _tag: 'FeeStatsUnavailable', cause: expect.stringMatching(/./) }),
        ),
      100,
    ),
  )
})

describe('a faulty node', () => {
  const { envelopeXdr } = payment()
  const behaviours: ReadonlyArray<[string, NodeBehaviour]> = [
    ['answers with a server error', { status: 503, text: 'overloaded' }],
    ['answers with a page', { status: 200, text: '<html>' }],
    ['answers with nothing', { status: 200, text: 'null' }],
    ['answers with an error of its own', { error: { code: -32603, message: 'internal' } }],
    ['answers something else', { result: { status: 'PERHAPS', latestLedger: -1 } }],
    ['says nothing', 'silence'],
  ]
  it.each(behaviours)('is unreachable when it %s', async (_, behaviour) => {
    const unreachable = E.left({ _tag: 'LedgerUnreachable', cause: expect.stringMatching(/./) })
    await against(
      () => behaviour,
      async (gateway) => {
        expect(await gateway.latestLedger()()).toEqual(unreachable)
        expect(await gateway.readLedgers(sequence(1), 1, null)()).toEqual(unreachable)
        expect(await gateway.lookUp(hash)()).toEqual(unreachable)
      },
      100,
    )
  })
  it.each(behaviours)('leaves the outcome of a submission unknown when it %s', async (_, behaviour) =>
    against(
      () => behaviour,
      async (gateway) =>
        expect(await gateway.submit(envelopeXdr)()).toEqual(
          E.left({ _tag: 'OutcomeUnknown', cause: expect.stringMatching(/./) }),
        ),
      100,
    ),
  )
  it('is unreachable, and leaves a submission unknown, when nobody listens', async () => {
    const node = await startNode(() => 'silence')
    await node.stop()
    const gateway = rpcGateway({ url: node.url, networkPassphrase, timeoutMs: 1000 })
    expect(E.mapLeft(({ _tag }: { _tag: string }) => _tag)(await gateway.latestLedger()())).toEqual(
      E.left('LedgerUnreachable'),
    )
    expect(E.mapLeft(({ _tag }: { _tag: string }) => _tag)(await gateway.submit(envelopeXdr)())).toEqual(
      E.left('OutcomeUnknown'),
    )
  })
})
