import type { AccountId } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { Asset, Operation, type xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { sequence } from '../testing/ledgers.ts'
import { outgoing, type Unusual } from '../testing/outgoing.ts'
import { nobody, payee, payer, type StartedSandbox, startSandbox } from '../testing/sandbox.ts'
import { sdkAsset } from './assets.ts'
import { classifyOperation, type OperationFault } from './classify-operation.ts'
import { keyPairFromSeed } from './keys.ts'

/** Has XLM, and trusts nothing. */
const bare = keyPairFromSeed(new Uint8Array(32).fill(8))
const poor = keyPairFromSeed(new Uint8Array(32).fill(9))

let network: StartedSandbox
let out: ReturnType<typeof outgoing>
beforeAll(async () => {
  network = await startSandbox()
  out = outgoing(network)
  const create = (destination: AccountId, startingBalance: string) =>
    Operation.createAccount({ destination, startingBalance })
  await out.sent((await out.built([create(bare.accountId, '10'), create(poor.accountId, '1')])).envelopeXdr)
  await out.closed()
})
afterEach(() => {
  right(network.sandbox.faults.set({}))
  network.sandbox.close()
})
afterAll(() => network.stop())

const pays = (destination: string, amount = '0.0000001', asset = Asset.native(), source?: string) =>
  Operation.payment({ destination, asset, amount, ...(source === undefined ? {} : { source }) })

const faults = (set: Parameters<StartedSandbox['sandbox']['faults']['set']>[0]): void => {
  right(network.sandbox.faults.set(set))
}

const aPayment = (unusual?: Unusual) => out.built([pays(payee.accountId)], unusual)

const latest = () => sequence(network.sandbox.clock().ledger)

describe("the network's response to a submission", () => {
  it('is PENDING, and DUPLICATE for the same bytes, which are queued', async () => {
    const { envelopeXdr, transactionHash } = await aPayment()
    const queued = E.right({ _tag: 'Queued', transactionHash, latestLedger: latest() })
    expect([await out.sent(envelopeXdr), await out.sent(envelopeXdr)]).toEqual([queued, queued])
  })

  it('is TRY_AGAIN_LATER while another of the account waits, and the same bytes go in a ledger later', async () => {
    await out.sent((await aPayment({ after: 0n })).envelopeXdr)
    const { envelopeXdr } = await aPayment({ after: 1n })
    expect(await out.sent(envelopeXdr)).toEqual(E.left({ _tag: 'TryAgainLater', latestLedger: latest() }))
    await out.closed()
    expect(await out.sent(envelopeXdr)).toMatchObject({ right: { _tag: 'Queued' } })
  })

  it.each([
    ['used', -1n],
    ['past a gap', 1n],
  ])('is txBAD_SEQ for a sequence number that is %s', async (_, after) =>
    expect(await out.sent((await aPayment({ after })).envelopeXdr)).toEqual(E.left({ _tag: 'BadSequence' })),
  )

  it('is TRY_AGAIN_LATER, then txBAD_SEQ, for bytes that a ledger already holds', async () => {
    faults({ lose_reply: { times: 1 } })
    const { envelopeXdr, transactionHash } = await aPayment()
    expect(await out.sent(envelopeXdr)).toMatchObject({ left: { _tag: 'OutcomeUnknown' } })
    const [outcome] = await out.closed()
    expect(await out.sent(envelopeXdr)).toMatchObject({ left: { _tag: 'TryAgainLater' } })
    for (let ledgers = 0; ledgers < 9; ledgers += 1) await out.closed()
    expect(await out.sent(envelopeXdr)).toEqual(E.left({ _tag: 'BadSequence' }))
    expect(outcome).toMatchObject({ _tag: 'Succeeded', transactionHash })
  })

  it('is txTOO_LATE once the network is past the time bound', async () =>
    expect(await out.sent((await aPayment({ lifetimeSeconds: -1 })).envelopeXdr)).toEqual(E.left({ _tag: 'Expired' })))

  it('is txINSUFFICIENT_FEE in a surge, where a fee bump of the same transaction goes in', async () => {
    faults({ fee_surge: { base_fee: 5_000 } })
    const { envelopeXdr, transactionHash } = await aPayment({ fee: 4_999n })
    expect(await out.sent(envelopeXdr)).toEqual(E.left({ _tag: 'FeeTooLow' }))
    await out.sent(out.bumped(envelopeXdr, payer, 5_000n).envelopeXdr)
    expect(await out.closed()).toMatchObject([
      { _tag: 'Succeeded', innerHash: transactionHash, feeCharged: 10_000n, feeSource: payer.accountId },
    ])
    expect(right(await network.gateway.feeStats()())).toMatchObject({ classic: { max: 5_000n } })
  })

  it('is txINSUFFICIENT_FEE below ten times the fee of the queued one; ten times replaces it', async () => {
    const { envelopeXdr, transactionHash } = await aPayment({ fee: 100n })
    await out.sent(envelopeXdr)
    expect(await out.sent(out.bumped(envelopeXdr, payee, 999n).envelopeXdr)).toEqual(E.left({ _tag: 'FeeTooLow' }))
    const bump = out.bumped(envelopeXdr, payee, 1_000n)
    expect(await out.sent(bump.envelopeXdr)).toMatchObject({ right: { transactionHash: bump.transactionHash } })
    expect(await out.closed()).toMatchObject([
      { _tag: 'Succeeded', transactionHash: bump.transactionHash, innerHash: transactionHash },
    ])
  })

  it.each([
    ['txInsufficientBalance', poor],
    ['txNoAccount', nobody],
  ])('is %s where the fee source cannot pay', async (code, feeSource) => {
    const { envelopeXdr } = await aPayment()
    const bump = out.bumped(envelopeXdr, feeSource, 10_000_000n)
    expect(await out.sent(bump.envelopeXdr)).toEqual(E.left({ _tag: 'FeeSourceCannotPay', code }))
  })

  it.each([
    ['txBadAuth', []],
    ['txBadAuthExtra', [payer, payee]],
  ])('is %s for wrong signatures', async (code, signers) =>
    expect(await out.sent((await aPayment({ signers })).envelopeXdr)).toEqual(
      E.left({ _tag: 'Refused', code, operationCodes: [] }),
    ),
  )

  it('is txFAILED before any ledger for an operation that can never be valid', async () => {
    const { envelopeXdr } = await out.built([
      pays(payee.accountId),
      pays(payee.accountId, '1', Asset.native(), bare.accountId),
    ])
    expect(await out.sent(envelopeXdr)).toEqual(
      E.left({ _tag: 'Refused', code: 'txFailed', operationCodes: ['paymentSuccess', 'opBadAuth'] }),
    )
  })

  it.each([
    ['an HTTP error', { server_error: { times: 1 } }],
    ['a lost reply', { lose_reply: { times: 1 } }],
  ])('nothing that anybody knows: %s', async (_, set) => {
    const { envelopeXdr } = await aPayment()
    faults(set)
    expect(await out.sent(envelopeXdr)).toEqual(E.left({ _tag: 'OutcomeUnknown', cause: expect.stringMatching(/./) }))
  })

  it('is PENDING for bytes that no ledger ever holds, which may be sent again', async () => {
    faults({ drop: { times: 1 } })
    const { envelopeXdr, transactionHash } = await aPayment()
    expect(await out.sent(envelopeXdr)).toMatchObject({ right: { _tag: 'Queued' } })
    expect(await out.closed()).toEqual([])
    await out.sent(envelopeXdr)
    expect(await out.closed()).toMatchObject([{ _tag: 'Succeeded', transactionHash }])
  })
})

describe('a transaction that failed in a ledger', () => {
  const sends = (sendAsset: Asset, sendMax: string, destAsset: Asset, destAmount: string) =>
    Operation.pathPaymentStrictReceive({ sendAsset, sendMax, destination: payee.accountId, destAsset, destAmount })
  const usdc = () => sdkAsset(network.usdc)
  const strange = new Asset('NONE', payer.accountId)
  const limited = () =>
    Operation.changeTrust({ asset: new Asset('TINY', payer.accountId), limit: '1', source: payee.accountId })
  const deauthorised = (account: string) => (): void => faults({ deauthorise: { account, asset_id: network.usdc } })

  it.each<[string, OperationFault, () => ReadonlyArray<xdr.Operation>, Unusual?, (() => void)?]>([
    ['paymentNoDestination', 'receiver', () => [pays(nobody.accountId)]],
    ['paymentNoTrust', 'receiver', () => [pays(bare.accountId, '1', usdc())]],
    ['paymentNotAuthorized', 'receiver', () => [pays(payee.accountId, '1', usdc())], {}, deauthorised(payee.accountId)],
    [
      'paymentLineFull',
      'receiver',
      () => [limited(), pays(payee.accountId, '2', new Asset('TINY', payer.accountId))],
      { signers: [payer, payee] },
    ],
    ['paymentUnderfunded', 'payer', () => [pays(payee.accountId, '1000000')]],
    ['paymentSrcNoTrust', 'payer', () => [pays(payee.accountId, '1', usdc())], { source: bare }],
    ['paymentSrcNotAuthorized', 'payer', () => [pays(payee.accountId, '1', usdc())], {}, deauthorised(payer.accountId)],
    ['pathPaymentStrictReceiveTooFewOffers', 'market', () => [sends(strange, '1', usdc(), '1')]],
    ['pathPaymentStrictReceiveOverSendmax', 'market', () => [sends(Asset.native(), '0.0000001', usdc(), '100')]],
    [
      'createAccountLowReserve',
      'reserve',
      () => [Operation.createAccount({ destination: nobody.accountId, startingBalance: '0.5' })],
    ],
  ])('for %s is the fault of: %s', async (code, fault, operations, unusual = {}, before = () => undefined) => {
    before()
    network.sandbox.close()
    const { envelopeXdr, transactionHash } = await out.built(operations(), unusual)
    expect(await out.sent(envelopeXdr)).toMatchObject({ right: { transactionHash } })
    const { source = payer } = unusual
    const sequenceBefore = right(await network.gateway.accountView(source.accountId, [])())?.accountSequence ?? 0n
    const outcomes = (await out.closed()).filter((each) => each.transactionHash === transactionHash)
    expect(outcomes).toMatchObject([{ _tag: 'Failed', code: 'txFailed', feeSource: source.accountId }])
    const [{ operationCodes = [], feeCharged = 0n } = {}] = outcomes
    expect(operationCodes.at(-1)).toBe(code)
    expect(operationCodes.map(classifyOperation)).toEqual([...operationCodes.slice(1).map(() => null), fault])
    expect(feeCharged).toBe(100n * BigInt(operationCodes.length))
    const sequenceAfter = right(await network.gateway.accountView(source.accountId, [])())?.accountSequence
    expect(sequenceAfter).toBe(sequenceBefore + 1n)
  })

  it.each<[string, OperationFault | null]>([
    ['invokeHostFunctionEntryArchived', 'stale_simulation'],
    ['invokeHostFunctionResourceLimitExceeded', 'stale_simulation'],
    ['invokeHostFunctionInsufficientRefundableFee', 'stale_simulation'],
    ['invokeHostFunctionTrapped', 'contract'],
    ['paymentMalformed', 'ours'],
    ['opBadAuth', 'ours'],
    ['paymentSuccess', null],
    ['liquidityPoolDepositBadPrice', 'ours'],
    ['constructor', 'ours'],
  ])('for %s is the fault of: %s', (code, fault) => expect(classifyOperation(code)).toBe(fault))
})
