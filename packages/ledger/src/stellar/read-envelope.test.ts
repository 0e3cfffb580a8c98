import { AssetId, stroops, unixMs } from '@quittance/domain'
import { Account, Asset, Memo, Operation, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../named.ts'
import { conformanceJson, describeConformance } from '../testing/conformance.ts'
import { buildPathPayment, buildPayment, type PaymentOrder } from './build-payment.ts'
import { keyPairFromSeed } from './keys.ts'
import { readEnvelope } from './read-envelope.ts'

const networkPassphrase = 'A Network For Tests'
const payer = keyPairFromSeed(new Uint8Array(32).fill(1)).accountId
const payee = keyPairFromSeed(new Uint8Array(32).fill(2)).accountId
const issuer = keyPairFromSeed(new Uint8Array(32).fill(3)).accountId

const order: PaymentOrder = {
  sourceAccount: payer,
  accountSequence: 41n,
  destination: payee,
  assetId: named(AssetId, `USDC:${issuer}`),
  amount: stroops(125_000_001n),
  memoText: 'chk_0123456789012345678901',
  ledgerClosedAt: unixMs(1_793_000_000_000),
  lifetimeMs: 300_000,
  fee: stroops(200n),
  networkPassphrase,
}

const built = (changed: Partial<PaymentOrder> = {}) => {
  const payment = buildPayment({ ...order, ...changed })
  if (E.isLeft(payment)) throw new Error(payment.left._tag)
  return payment.right
}

describe('a payment we build', () => {
  it('asks for exactly what was ordered, unsigned, until five minutes after the newest ledger', () => {
    const { envelopeXdr, transactionHash, maxTime } = built()
    expect(maxTime).toBe(1_793_000_300_000)
    expect(readEnvelope(envelopeXdr, networkPassphrase)).toEqual(
      E.right({
        transactionHash,
        innerHash: null,
        source: payer,
        memo: { _tag: 'text', value: 'chk_0123456789012345678901' },
        payments: [
          {
            kind: 'payment',
            operationIndex: 0,
            from: payer,
            destination: payee,
            muxedId: null,
            assetId: order.assetId,
            amount: 125_000_001n,
          },
        ],
        operationCount: 1,
        maxTime,
        signatureCount: 0,
      }),
    )
  })
  it('uses the next sequence, the fee and both time bounds as given', () => {
    const transaction = TransactionBuilder.fromXdr(built().envelopeXdr, networkPassphrase)
    if (!('sequence' in transaction)) throw new Error('a fee bump')
    expect([transaction.sequence, transaction.fee, transaction.timeBounds]).toEqual([
      '42',
      '200',
      { minTime: '1793000000', maxTime: '1793000300' },
    ])
  })
  it('takes a memo of 28 bytes', () => {
    const memoText = 'é'.repeat(14)
    const read = readEnvelope(built({ memoText }).envelopeXdr, networkPassphrase)
    expect(E.map(({ memo }: { memo: unknown }) => memo)(read)).toEqual(E.right({ _tag: 'text', value: memoText }))
  })
  it('is refused with a memo of 29 bytes', () =>
    expect(buildPayment({ ...order, memoText: `${'é'.repeat(14)}.` })).toEqual(
      E.left({ _tag: 'MemoTooLong', bytes: 29 }),
    ))
  it('is refused without an amount', () =>
    expect(buildPayment({ ...order, amount: stroops(0n) })).toEqual(E.left({ _tag: 'AmountNotPositive' })))
  it('has another hash on another network', () => {
    const { transactionHash } = built()
    expect(built({ networkPassphrase: 'Another Network' }).transactionHash).not.toBe(transactionHash)
  })
  it('carries every amount to the stroop', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (amount) => {
        const read = readEnvelope(built({ amount: stroops(amount) }).envelopeXdr, networkPassphrase)
        expect(E.isRight(read) && read.right.payments.map((payment) => payment.amount)).toEqual([amount])
      }),
    ))
})

describe('a path payment we build', () => {
  const native = named(AssetId, 'native')
  const long = named(AssetId, `LONGERCODE:${issuer}`)
  const exchange = { sendAsset: native, sendMax: stroops(512_345_678n), path: [long] }

  it('delivers exactly what was ordered and takes no more than its bound, through the assets between', () => {
    const path = buildPathPayment({ ...order, ...exchange })
    if (E.isLeft(path)) throw new Error(path.left._tag)
    const transaction = TransactionBuilder.fromXdr(path.right.envelopeXdr, networkPassphrase)
    expect(transaction.operations).toEqual([
      {
        type: 'pathPaymentStrictReceive',
        sendAsset: Asset.native(),
        sendMax: '51.2345678',
        destination: payee,
        destAsset: new Asset('USDC', issuer),
        destAmount: '12.5000001',
        path: [new Asset('LONGERCODE', issuer)],
        source: undefined,
      },
    ])
    expect(
      E.map(({ payments }: { payments: unknown }) => payments)(readEnvelope(path.right.envelopeXdr, networkPassphrase)),
    ).toEqual(
      E.right([
        {
          kind: 'path_payment',
          operationIndex: 0,
          from: payer,
          destination: payee,
          muxedId: null,
          assetId: order.assetId,
          amount: 125_000_001n,
        },
      ]),
    )
  })
  it('is refused as a payment is', () => {
    expect(buildPathPayment({ ...order, ...exchange, amount: stroops(0n) })).toEqual(
      E.left({ _tag: 'AmountNotPositive' }),
    )
  })
  it('carries every amount to the stroop', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), (amount) => {
        const path = buildPathPayment({ ...order, ...exchange, amount: stroops(amount) })
        const read = E.chainW(({ envelopeXdr }: { envelopeXdr: string }) =>
          readEnvelope(envelopeXdr, networkPassphrase),
        )(path)
        expect(E.isRight(read) && read.right.payments.map((payment) => payment.amount)).toEqual([amount])
      }),
    ))
})

describe('an envelope somebody sent', () => {
  const sent = (maxTime: number, memo: Memo) =>
    new TransactionBuilder(new Account(payer, '1'), {
      fee: '100',
      networkPassphrase,
      memo,
      timebounds: { minTime: 0, maxTime },
    })
      .addOperation(Operation.payment({ destination: payee, asset: Asset.native(), amount: '1', source: issuer }))
      .addOperation(Operation.accountMerge({ destination: payee }))
      .build()

  it('shows a strict-send path payment by the least that arrives', () => {
    const sending = Operation.pathPaymentStrictSend({
      sendAsset: Asset.native(),
      sendAmount: '50',
      destination: payee,
      destAsset: new Asset('USDC', issuer),
      destMin: '12.4',
      path: [],
    })
    const transaction = new TransactionBuilder(new Account(payer, '1'), { fee: '100', networkPassphrase })
      .addOperation(sending)
      .setTimeout(60)
      .build()
    expect(readEnvelope(transaction.toXdr(), networkPassphrase)).toMatchObject(
      E.right({
        payments: [{ kind: 'path_payment', destination: payee, assetId: order.assetId, amount: 124_000_000n }],
      }),
    )
  })

  it('shows the payer of each operation, other operations, and that it never expires', () => {
    const transaction = sent(0, Memo.id('18446744073709551615'))
    expect(readEnvelope(transaction.toXdr(), networkPassphrase)).toEqual(
      E.right({
        transactionHash: Buffer.from(transaction.hash()).toString('hex'),
        innerHash: null,
        source: payer,
        memo: { _tag: 'id', value: '18446744073709551615' },
        payments: [
          {
            kind: 'payment',
            operationIndex: 0,
            from: issuer,
            destination: payee,
            muxedId: null,
            assetId: 'native',
            amount: 10_000_000n,
          },
        ],
        operationCount: 2,
        maxTime: null,
        signatureCount: 0,
      }),
    )
  })

  it('is read through a fee bump, with both hashes', () => {
    const inner = sent(2_000_000_000, Memo.hash('ab'.repeat(32)))
    const outer = TransactionBuilder.buildFeeBumpTransaction(issuer, '1000', inner, networkPassphrase)
    const read = readEnvelope(outer.toXdr(), networkPassphrase)
    expect(read).toMatchObject(
      E.right({
        transactionHash: Buffer.from(outer.hash()).toString('hex'),
        innerHash: Buffer.from(inner.hash()).toString('hex'),
        source: payer,
        memo: { _tag: 'hash', value: 'ab'.repeat(32) },
        maxTime: 2_000_000_000_000,
      }),
    )
  })

  it('of the oldest kind is read under the hash of the newest', () => {
    const current = xdr.TransactionEnvelope.fromXdr(built().envelopeXdr, 'base64')
    if (current.type !== 'envelopeTypeTx' || current.v1.tx.cond.type !== 'precondTime') throw new Error('unexpected')
    const { sourceAccount, fee, seqNum, cond, memo, operations } = current.v1.tx
    if (sourceAccount.type !== 'keyTypeEd25519') throw new Error('unexpected')
    const tx = new xdr.TransactionV0({
      sourceAccountEd25519: sourceAccount.ed25519,
      fee,
      seqNum,
      timeBounds: cond.timeBounds,
      memo,
      operations,
      ext: xdr.TransactionV0Ext.v0(),
    })
    const old = xdr.TransactionEnvelope.envelopeTypeTxV0(new xdr.TransactionV0Envelope({ tx, signatures: [] }))
    expect(readEnvelope(old.toXdr('base64'), networkPassphrase)).toEqual(
      readEnvelope(built().envelopeXdr, networkPassphrase),
    )
  })

  it.each([
    ['nothing', ''],
    ['no base64', '!!!!'],
    ['no envelope', 'AAAA'],
    [
      'bytes after its end',
      `${Buffer.from(`${built().envelopeXdr}`, 'base64').toString('base64').slice(0, -4)}AAAAAAAA`,
    ],
    ['white space', ` ${built().envelopeXdr}`],
    ['nesting without end', Buffer.alloc(100_000, 5).toString('base64')],
  ])('is refused with %s', (_, text) =>
    expect(readEnvelope(text, networkPassphrase)).toEqual(
      E.left({ _tag: 'MalformedEnvelope', cause: expect.stringMatching(/./) }),
    ),
  )

  it('never makes reading throw, whatever byte was changed', () => {
    const bytes = Buffer.from(built().envelopeXdr, 'base64')
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (place, value) => {
        const changed = Buffer.from(bytes)
        changed[place] = value
        const read = readEnvelope(changed.toString('base64'), networkPassphrase)
        expect(['Left', 'Right']).toContain(read._tag)
      }),
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        expect(readEnvelope(Buffer.from(noise).toString('base64'), networkPassphrase)._tag).toBe('Left')
      }),
    )
  })
})

type Published = {
  readonly networkPassphrase: string
  readonly transactions: ReadonlyArray<{ readonly txHash: string; readonly envelopeXdr: string }>
}

describeConformance('transactions of the public network', () => {
  const { networkPassphrase: publicNetwork, transactions } = conformanceJson<Published>('mainnet-transactions.json')
  it.each(transactions)('$txHash is read under its own hash', ({ txHash, envelopeXdr }) =>
    expect(readEnvelope(envelopeXdr, publicNetwork)).toMatchObject(E.right({ transactionHash: txHash })),
  )
})
