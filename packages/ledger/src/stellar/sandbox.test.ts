import { issuerOf, TransactionHash, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { Account, Asset, Memo, MuxedAccount, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIngestion } from '../create-ingestion.ts'
import type { Cursor, IngestedLedger } from '../ingestion.ts'
import { named } from '../named.ts'
import { isProvenDead } from '../submission.ts'
import { hashOf, sequence } from '../testing/ledgers.ts'
import { nobody, payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { sdkAsset } from './assets.ts'

let network: StartedSandbox
beforeAll(async () => {
  network = await startSandbox()
})
afterAll(() => network.stop())

/** A signed transaction of payer's with these operations. */
const transactionOf = async (operations: ReadonlyArray<xdr.Operation>, memo: Memo = Memo.none(), source?: string) => {
  const view = right(await network.gateway.accountView(payer.accountId, [])())
  const account = source === undefined ? new Account(payer.accountId, `${view?.accountSequence}`) : undefined
  const builder = new TransactionBuilder(
    account ?? MuxedAccount.fromAddress(source ?? '', `${view?.accountSequence}`),
    { fee: '1000', networkPassphrase: sandboxPassphrase, memo, timebounds: { minTime: 0, maxTime: 0 } },
  )
  for (const operation of operations) builder.addOperation(operation)
  return network.signed(builder.build().toXdr())
}
const muxed = (account: string, id: string): string => new MuxedAccount(new Account(account, '0'), id).accountId()

describe('a payment through a node', () => {
  it('is built, signed, queued, found in its ledger and received', async () => {
    const { gateway, built, signed, credited, usdc, sandbox } = network
    const before = right(await gateway.accountView(payer.accountId, [usdc])())
    const { envelopeXdr, transactionHash, maxTime } = await built()
    expect(maxTime).toBe(right(await gateway.latestLedger()()).closedAt + 300_000)
    const credits = await credited(signed(envelopeXdr))
    const { ledger } = sandbox.clock()
    const { closedAt } = right(await gateway.latestLedger()())
    expect(credits).toEqual([
      {
        kind: 'payment',
        transactionHash,
        operationIndex: 0,
        ledger,
        closedAt,
        from: payer.accountId,
        fromMuxedId: null,
        fromContract: null,
        destination: payee.accountId,
        muxedId: null,
        assetId: usdc,
        amount: 100_000_000n,
        memo: { _tag: 'text', value: 'chk_1' },
      },
    ])
    expect(await gateway.lookUp(transactionHash)()).toEqual(E.right({ _tag: 'Succeeded', ledger, closedAt }))
    const after = right(await gateway.accountView(payer.accountId, [usdc])())
    expect((after?.accountSequence ?? 0n) - (before?.accountSequence ?? 0n)).toBe(1n)
    expect((after?.trustlines[0]?.balance ?? 0n) - (before?.trustlines[0]?.balance ?? 0n)).toBe(-100_000_000n)
    expect(after?.trustlines[0]?.isAuthorized).toBe(true)
  })
  it('is queued once, however often the same bytes are sent', async () => {
    const { gateway, built, signed, sandbox } = network
    const { envelopeXdr, transactionHash } = await built()
    const sent = [await gateway.submit(signed(envelopeXdr))(), await gateway.submit(signed(envelopeXdr))()]
    const queued = E.right({ _tag: 'Queued', transactionHash, latestLedger: sandbox.clock().ledger })
    expect(sent).toEqual([queued, queued])
    sandbox.close()
  })
  it('that fails in its ledger is found with its reason, and brings nothing', async () => {
    const { gateway, built, signed, credited } = network
    const { envelopeXdr, transactionHash } = await built({ destination: nobody.accountId })
    expect(await credited(signed(envelopeXdr))).toEqual([])
    expect(await gateway.lookUp(transactionHash)()).toEqual(
      E.right({
        _tag: 'Failed',
        ledger: network.sandbox.clock().ledger,
        closedAt: expect.any(Number),
        code: 'txFailed',
        operationCodes: ['paymentNoDestination'],
      }),
    )
  })
  it.each([
    ['with a used sequence', { accountSequence: 1n }, { _tag: 'BadSequence' }],
    ['after its time', { ledgerClosedAt: unixMs(Date.UTC(2026, 9, 1)) }, { _tag: 'Expired' }],
  ])('is refused %s', async (_, changed, failure) => {
    const { envelopeXdr } = await network.built(changed)
    expect(await network.gateway.submit(network.signed(envelopeXdr))()).toEqual(E.left(failure))
  })
  it('is refused without a signature', async () => {
    const { envelopeXdr } = await network.built()
    expect(await network.gateway.submit(envelopeXdr)()).toEqual(
      E.left({ _tag: 'Refused', code: 'txBadAuth', operationCodes: [] }),
    )
  })
  it('is retried later while another of its account is queued', async () => {
    const { gateway, built, signed, sandbox } = network
    const first = await built()
    const second = await built({ memoText: 'chk_2' })
    await gateway.submit(signed(first.envelopeXdr))()
    expect(await gateway.submit(signed(second.envelopeXdr))()).toEqual(
      E.left({ _tag: 'TryAgainLater', latestLedger: sandbox.clock().ledger }),
    )
    sandbox.close()
  })
  it('that was never sent is proven dead by the first ledger after its time, not before', async () => {
    const { gateway, built, sandbox, waitMs } = network
    const { closedAt: firstSentAt, sequence: highestLedgerSeen } = right(await gateway.latestLedger()())
    const { transactionHash, maxTime } = await built({ lifetimeMs: 60_000 })
    const isDead = async () => {
      const lookUp = right(await gateway.lookUp(transactionHash)())
      return isProvenDead(lookUp, { maxTime, firstSentAt, highestLedgerSeen })
    }
    sandbox.close()
    expect(await isDead()).toBe(false)
    waitMs(3_600_000)
    expect(await isDead()).toBe(false)
    sandbox.close()
    expect(await isDead()).toBe(true)
  })
})

describe('the incoming payments of a ledger', () => {
  it('are one for each operation, and none for accounts that nobody watches', async () => {
    const { usdc, credited } = network
    const payment = (destination: string, amount: string) =>
      Operation.payment({ destination, asset: sdkAsset(usdc), amount })
    const envelope = await transactionOf([
      payment(payee.accountId, '1'),
      Operation.payment({ destination: issuerOf(usdc) ?? '', asset: Asset.native(), amount: '5' }),
      payment(payee.accountId, '0.0000001'),
    ])
    const credits = await credited(envelope)
    expect(credits.map(({ operationIndex, amount }) => [operationIndex, amount])).toEqual([
      [0, 10_000_000n],
      [2, 1n],
    ])
  })
  it('carry the ids inside muxed addresses of both sides', async () => {
    const [credit] = await network.credited(
      await transactionOf(
        [
          Operation.payment({
            destination: muxed(payee.accountId, '18446744073709551615'),
            asset: Asset.native(),
            amount: '1',
          }),
        ],
        Memo.none(),
        muxed(payer.accountId, '7'),
      ),
    )
    expect(credit).toMatchObject({
      destination: payee.accountId,
      muxedId: '18446744073709551615',
      from: payer.accountId,
      fromMuxedId: '7',
      assetId: 'native',
    })
  })
  it.each([
    [Memo.none(), { _tag: 'none' }],
    [Memo.id('12'), { _tag: 'id', value: '12' }],
    [Memo.text('é'), { _tag: 'text', value: 'é' }],
    [Memo.text(new Uint8Array([0x61, 0xff])), { _tag: 'text', value: 'a\ufffd' }],
    [Memo.hash('ab'.repeat(32)), { _tag: 'hash', value: 'ab'.repeat(32) }],
    [Memo.return('cd'.repeat(32)), { _tag: 'return', value: 'cd'.repeat(32) }],
  ])('carry the memo (%#)', async (memo, read) => {
    const payment = Operation.payment({ destination: payee.accountId, asset: Asset.native(), amount: '1' })
    const [credit] = await network.credited(await transactionOf([payment], memo))
    expect(credit?.memo).toEqual(read)
  })
  it("include a new account's starting balance, unless the transaction fails later", async () => {
    const create = Operation.createAccount({ destination: nobody.accountId, startingBalance: '3' })
    const tooMuch = Operation.payment({ destination: payee.accountId, asset: Asset.native(), amount: '1000000' })
    expect(await network.credited(await transactionOf([create, tooMuch]))).toEqual([])
    const credits = await network.credited(await transactionOf([create]))
    expect(credits.map(({ destination, assetId, amount }) => [destination, assetId, amount])).toEqual([
      [nobody.accountId, 'native', 30_000_000n],
    ])
  })
})

describe('ingesting the sandbox', () => {
  it('handles each ledger once, in order, each continuing the one before', async () => {
    const { gateway, sandbox } = network
    const state: { cursor: Cursor | null } = { cursor: null }
    const ingested: Array<IngestedLedger> = []
    const ingestion = createIngestion<never>({
      gateway,
      cursor: {
        load: () => TE.right(state.cursor),
        advance: (_, to) => {
          state.cursor = to
          return TE.right(true)
        },
      },
      watched: TE.right(new Set([payee.accountId])),
      onLedger: (ledger) => {
        ingested.push(ledger)
        return TE.right(undefined)
      },
      alarm: () => undefined,
      batchSize: 4,
      firstLedger: sequence(1),
    })
    const closed = sandbox.clock().ledger
    const progress = right(await ingestion.step())
    expect(progress.handled?.sequence).toBe(closed)
    expect(ingested.map((ledger) => ledger.sequence)).toEqual(Array.from({ length: closed }, (_, index) => index + 1))
    sandbox.close()
    await ingestion.step()
    expect(ingested.length).toBe(closed + 1)
    const unknown = await gateway.lookUp(named(TransactionHash, hashOf(1)))()
    expect(right(unknown)._tag).toBe('NotFound')
  })
})
