import { type AccountId, AssetId, stroops, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { type FeeBumpTransaction, MuxedAccount, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { named } from '../named.ts'
import { localSigner } from '../signing/local-signer.ts'
import type { SigningKey } from '../signing/signing-key.ts'
import { payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { NATIVE } from './assets.ts'
import { buildPayouts, PAYOUT_LIFETIME_MS, type Payout, type PayoutsOrder } from './build-payouts.ts'
import { feeBump } from './fee-bump.ts'
import { keyPairFromSeed, signEnvelope } from './keys.ts'

const seedOf = (number: number): Uint8Array => new Uint8Array(32).fill(number)
const channel = keyPairFromSeed(seedOf(5))
const sponsor = keyPairFromSeed(seedOf(6))
const usd = named(AssetId, `USD:${keyPairFromSeed(seedOf(7)).accountId}`)
const payerSigner = localSigner(seedOf(1))
const channelSigner = localSigner(seedOf(5))
const sponsorSigner = localSigner(seedOf(6))

const sign = async (envelopeXdr: string, ...signers: ReadonlyArray<SigningKey>): Promise<string> =>
  right(await signEnvelope(envelopeXdr, signers, sandboxPassphrase)())

const payoutsOf = (assets: ReadonlyArray<AssetId>, most: bigint): fc.Arbitrary<ReadonlyArray<Payout>> =>
  fc.array(
    fc.record({
      destination: fc.constantFrom<AccountId>(payee.accountId, sponsor.accountId),
      assetId: fc.constantFrom(...assets),
      amount: fc.bigInt({ min: 1n, max: most }).map(stroops),
    }),
    { minLength: 1, maxLength: 100 },
  )

const memoText = fc.option(
  fc.string({ unit: 'grapheme', maxLength: 28 }).filter((text) => Buffer.byteLength(text) <= 28),
)

const order: fc.Arbitrary<PayoutsOrder> = fc.record({
  sourceAccount: fc.constantFrom(payer.accountId, channel.accountId),
  nextAccountSequence: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
  payingAccount: fc.constant(payer.accountId),
  payouts: payoutsOf([NATIVE, usd], 2n ** 63n - 1n),
  memoText,
  ledgerClosedAt: fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => unixMs(seconds * 1000)),
  lifetimeMs: fc.integer({ min: 60_000, max: PAYOUT_LIFETIME_MS }),
  fee: fc.bigInt({ min: 100n, max: 40_000_000n }).map(stroops),
  networkPassphrase: fc.constant(sandboxPassphrase),
})

const [sample] = fc.sample(order, { numRuns: 1, seed: 1 })
if (sample === undefined) throw new Error('no sample')

const bySdk = (envelopeXdr: string): Transaction | FeeBumpTransaction =>
  TransactionBuilder.fromXdr(envelopeXdr, sandboxPassphrase)

const hashBySdk = (envelopeXdr: string): string => Buffer.from(bySdk(envelopeXdr).hash()).toString('hex')

const transactionBySdk = (envelopeXdr: string): Transaction => {
  const read = bySdk(envelopeXdr)
  return 'innerTransaction' in read ? read.innerTransaction : read
}

const stroopsOf = (amount: string): bigint => BigInt(amount.replace('.', ''))

const paymentBySdk = (operation: Transaction['operations'][number]) => {
  if (operation.type !== 'payment') throw new Error(`${operation.type} is no payment`)
  const { source, destination, asset, amount } = operation
  return { source, destination, assetId: asset.toString(), amount: stroopsOf(amount) }
}

describe('built payouts', () => {
  it('are read alike by the SDK, under a hash that signatures do not change', () =>
    fc.assert(
      fc.asyncProperty(order, async (ordered) => {
        const { sourceAccount, payingAccount, payouts, ledgerClosedAt, lifetimeMs, fee } = ordered
        const { envelopeXdr, transactionHash, maxTime } = right(buildPayouts(ordered))
        const read = transactionBySdk(envelopeXdr)
        const memo = read.memo.value
        expect({
          source: read.source,
          sequence: read.sequence,
          fee: read.fee,
          timeBounds: read.timeBounds,
          memo: memo === null ? null : Buffer.from(memo).toString('utf8'),
          signatures: read.signatures,
          payments: read.operations.map(paymentBySdk),
        }).toEqual({
          source: sourceAccount,
          sequence: `${ordered.nextAccountSequence}`,
          fee: `${fee * BigInt(payouts.length)}`,
          timeBounds: { minTime: `${ledgerClosedAt / 1000}`, maxTime: `${maxTime / 1000}` },
          memo: ordered.memoText,
          signatures: [],
          payments: payouts.map((payout) => ({
            source: sourceAccount === payingAccount ? undefined : payingAccount,
            ...payout,
          })),
        })
        expect(maxTime).toBe(Math.floor((ledgerClosedAt + lifetimeMs) / 1000) * 1000)
        const signed = await sign(envelopeXdr, payerSigner, channelSigner)
        expect([hashBySdk(envelopeXdr), hashBySdk(signed)]).toEqual([transactionHash, transactionHash])
        expect(transactionBySdk(signed).signatures.length).toBe(2)
      }),
      { numRuns: 50 },
    ))

  const [payout] = sample.payouts
  if (payout === undefined) throw new Error('no payout')
  it.each<[string, Partial<PayoutsOrder>, object]>([
    ['none', { payouts: [] }, { _tag: 'PayoutsOutOfRange', count: 0 }],
    ['more than 100', { payouts: Array(101).fill(payout) }, { _tag: 'PayoutsOutOfRange', count: 101 }],
    ['one of nothing', { payouts: [payout, { ...payout, amount: stroops(0n) }] }, { _tag: 'AmountNotPositive' }],
    ['a memo of 29 bytes', { memoText: `é${'x'.repeat(27)}` }, { _tag: 'MemoTooLong', bytes: 29 }],
  ])('are refused for %s', (_, changed, rejection) =>
    expect(buildPayouts({ ...sample, ...changed })).toEqual(E.left(rejection)),
  )
})

describe('a fee bump', () => {
  it('offers more for the same signed transaction, under its own hash', () =>
    fc.assert(
      fc.asyncProperty(order, fc.bigInt({ min: 0n, max: 10n ** 12n }), async (ordered, more) => {
        const unsigned = right(buildPayouts(ordered))
        const inner = await sign(unsigned.envelopeXdr, payerSigner, channelSigner)
        const fee = stroops(ordered.fee + more)
        const bump = feeBump({
          envelopeXdr: inner,
          feeSource: sponsor.accountId,
          fee,
          networkPassphrase: sandboxPassphrase,
        })
        const signed = await sign(bump.envelopeXdr, sponsorSigner)
        const read = bySdk(signed)
        if (!('innerTransaction' in read)) throw new Error('no fee bump')
        expect(read.feeSource).toBe(sponsor.accountId)
        expect(read.fee).toBe(`${fee * BigInt(ordered.payouts.length + 1)}`)
        expect(read.signatures.length).toBe(1)
        expect(read.innerTransaction.toXdr()).toBe(inner)
        expect([hashBySdk(bump.envelopeXdr), hashBySdk(signed)]).toEqual([bump.transactionHash, bump.transactionHash])
        expect(hashBySdk(inner)).toBe(unsigned.transactionHash)
      }),
      { numRuns: 50 },
    ))

  it('throws for a fee bump, or for less than the transaction offers', () => {
    const { envelopeXdr } = right(buildPayouts(sample))
    const bumped = (inner: string, fee: bigint) =>
      feeBump({
        envelopeXdr: inner,
        feeSource: sponsor.accountId,
        fee: stroops(fee),
        networkPassphrase: sandboxPassphrase,
      })
    expect(() => bumped(envelopeXdr, sample.fee - 1n)).toThrow(/baseFee/)
    expect(() => bumped(bumped(envelopeXdr, sample.fee).envelopeXdr, sample.fee)).toThrow(TypeError)
  })
})

describe('a payout to a muxed address', () => {
  it('carries its number, and goes to the account', () => {
    const destinationMuxedId = '18446744073709551615'
    const payout = { destination: payee.accountId, assetId: NATIVE, amount: stroops(1n) }
    const { envelopeXdr } = right(buildPayouts({ ...sample, payouts: [{ ...payout, destinationMuxedId }, payout] }))
    const read = transactionBySdk(envelopeXdr).operations.map((operation) => paymentBySdk(operation).destination)
    const muxed = MuxedAccount.fromAddress(read[0] ?? '', '0')
    expect([muxed.baseAccount().accountId(), muxed.id(), read[1]]).toEqual([
      payee.accountId,
      destinationMuxedId,
      payee.accountId,
    ])
  })
})

describe('signatures of several keys', () => {
  it('are one for each key, and none where one cannot sign', async () => {
    const { envelopeXdr } = right(buildPayouts(sample))
    const twice = await sign(envelopeXdr, payerSigner, channelSigner, payerSigner)
    expect(twice).toBe(await sign(envelopeXdr, payerSigner, channelSigner))
    const refusal = { _tag: 'SignerUnavailable', cause: 'a test' } as const
    const refusing: SigningKey = { publicKey: channel.accountId, sign: () => TE.left(refusal) }
    expect(await signEnvelope(envelopeXdr, [payerSigner, refusing], sandboxPassphrase)()).toEqual(E.left(refusal))
  })
})

describe('on a network', () => {
  let network: StartedSandbox
  beforeAll(async () => {
    network = await startSandbox()
    for (const { secret } of [channel, sponsor]) right(await network.sandbox.provision(secret)())
  })
  afterAll(() => network.stop())

  it("payouts are paid with a channel's or their own sequence number, fee-bumped or not", () =>
    fc.assert(
      fc.asyncProperty(
        payoutsOf([NATIVE, network.usdc], 10_000n),
        memoText,
        fc.boolean(),
        fc.boolean(),
        async (payouts, memo, isOverChannel, isBumped) => {
          const { gateway, usdc } = network
          const sourceAccount = isOverChannel ? channel.accountId : payer.accountId
          const held = async () =>
            right(
              await gateway.balances(
                [NATIVE, usdc].flatMap((assetId) =>
                  [payee.accountId, sponsor.accountId].map((account) => ({ account, assetId })),
                ),
              )(),
            )
          const before = await held()
          const view = right(await gateway.accountView(sourceAccount, [])())
          const { closedAt } = right(await gateway.latestLedger()())
          const built = right(
            buildPayouts({
              sourceAccount,
              nextAccountSequence: (view?.accountSequence ?? 0n) + 1n,
              payingAccount: payer.accountId,
              payouts,
              memoText: memo,
              ledgerClosedAt: closedAt,
              lifetimeMs: PAYOUT_LIFETIME_MS,
              fee: stroops(100n),
              networkPassphrase: sandboxPassphrase,
            }),
          )
          const inner = await sign(built.envelopeXdr, ...(isOverChannel ? [channelSigner] : []), payerSigner)
          const bump = feeBump({
            envelopeXdr: inner,
            feeSource: payer.accountId,
            fee: stroops(200n),
            networkPassphrase: sandboxPassphrase,
          })
          const [envelopeXdr, hash] = isBumped
            ? [await sign(bump.envelopeXdr, payerSigner), bump.transactionHash]
            : [inner, built.transactionHash]
          expect(await gateway.submit(envelopeXdr)()).toMatchObject(E.right({ _tag: 'Queued', transactionHash: hash }))
          network.sandbox.close()
          expect(await gateway.lookUp(built.transactionHash)()).toMatchObject(E.right({ _tag: 'Succeeded' }))
          const paid = (account: AccountId, assetId: AssetId): bigint =>
            payouts
              .filter((each) => each.destination === account && each.assetId === assetId)
              .reduce((sum, { amount }) => sum + amount, 0n)
          expect((await held()).map(({ held: now }) => now)).toEqual(
            before.map(({ account, assetId, held: then }) => (then ?? 0n) + paid(account, assetId)),
          )
        },
      ),
      { numRuns: 20 },
    ))
})
