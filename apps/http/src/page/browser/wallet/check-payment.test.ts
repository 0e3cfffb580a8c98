import * as Sdk from '@stellar/stellar-sdk'
import type { PageQuote } from '../wire.ts'
import { paymentProblem } from './check-payment.ts'
import type { StellarSdk } from './sdk.ts'

/** Does not compile when the wallet's description of the library is wrong. */
const sdk: StellarSdk = Sdk

const address = (seed: number): string => Sdk.Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(seed)).publicKey()
const payer = address(1)
const payee = address(2)
const issuer = address(3)
const stranger = address(4)
const passphrase = 'Sandbox under test'
const usdc = new Sdk.Asset('USDC', issuer)

const quote: PageQuote = {
  destination: payee,
  assetId: `USDC:${issuer}`,
  amount: '12.5',
  amountReceived: '5',
  amountDue: '7.5',
  memo: 'chk_1',
  validUntil: '2026-11-20T10:15:00.000Z',
  sep7Uri: 'web+stellar:pay',
  mandate: null,
  isAuthorization: false,
}

const pay = { destination: payee, asset: usdc, amount: '7.5' }

type Changes = { source?: string; fee?: string; memo?: Sdk.Memo; operations?: ReadonlyArray<Sdk.xdr.Operation> }

/** What the service answers: read back from its XDR, as the wallet does. */
const answered = (changes: Changes) => {
  const { source = payer, fee = '100', memo = Sdk.Memo.text('chk_1') } = changes
  const builder = new Sdk.TransactionBuilder(new Sdk.Account(source, '7'), { fee, memo, networkPassphrase: passphrase })
  for (const operation of changes.operations ?? [Sdk.Operation.payment(pay)]) builder.addOperation(operation)
  const read = sdk.TransactionBuilder.fromXdr(builder.setTimebounds(0, 1_793_491_320).build().toXdr(), passphrase)
  if ('innerTransaction' in read) throw new Error('not a plain transaction')
  return read
}

const { payment } = Sdk.Operation

describe('a transaction that the service proposes', () => {
  it('signs a transaction that pays exactly what the page shows', () =>
    expect(paymentProblem(answered({}), payer, quote, null)).toBeNull())

  it.each<[string, Changes, string]>([
    ['another destination', { operations: [payment({ ...pay, destination: stranger })] }, 'It pays another account.'],
    ['one stroop more', { operations: [payment({ ...pay, amount: '7.5000001' })] }, 'It pays another amount.'],
    ['one stroop less', { operations: [payment({ ...pay, amount: '7.4999999' })] }, 'It pays another amount.'],
    ['the native asset', { operations: [payment({ ...pay, asset: Sdk.Asset.native() })] }, 'It pays in another asset.'],
    [
      'an asset of the same name',
      { operations: [payment({ ...pay, asset: new Sdk.Asset('USDC', stranger) })] },
      'It pays in another asset.',
    ],
    ['a second payment', { operations: [payment(pay), payment(pay)] }, 'It does something besides the payment.'],
    [
      'another kind of operation',
      { operations: [Sdk.Operation.accountMerge({ destination: payee })] },
      'It is not a plain payment.',
    ],
    ['another account', { source: stranger }, 'It pays from another account.'],
    [
      'another account in the operation',
      { operations: [payment({ ...pay, source: stranger })] },
      'It pays from another account.',
    ],
    ['another memo', { memo: Sdk.Memo.text('chk_2') }, 'Its memo is not the one of this checkout.'],
    ['no memo', { memo: Sdk.Memo.none() }, 'Its memo is not the one of this checkout.'],
    ['a memo of another type', { memo: Sdk.Memo.id('1') }, 'Its memo is not the one of this checkout.'],
    ['a fee of more than 0.1 XLM', { fee: '1000001' }, 'Its fee is too high.'],
  ])('refuses to sign a payment with %s', (_, changes, problem) =>
    expect(paymentProblem(answered(changes), payer, quote, null)).toBe(problem),
  )
})

describe('a transaction in the asset that the payer chose', () => {
  const choice = { assetId: 'native', sendMax: '30.45' }
  const exchange = {
    sendAsset: Sdk.Asset.native(),
    sendMax: '30.45',
    destination: payee,
    destAsset: usdc,
    destAmount: '7.5',
    path: [],
  }
  const through = (changes: Partial<typeof exchange>) => ({
    operations: [Sdk.Operation.pathPaymentStrictReceive({ ...exchange, ...changes })],
  })
  const problemOf = (changes: Changes) => paymentProblem(answered(changes), payer, quote, choice)

  it('signs a path payment that delivers the amount on the page, and sends no more than shown', () => {
    expect(problemOf(through({}))).toBeNull()
    expect(problemOf(through({ sendMax: '30' }))).toBeNull()
  })

  it('signs a plain payment when the payer chose the quoted asset', () => {
    const asked = { assetId: quote.assetId, sendMax: '7.5' }
    expect(paymentProblem(answered({}), payer, quote, asked)).toBeNull()
    expect(paymentProblem(answered(through({})), payer, quote, asked)).toBe('It is not a plain payment.')
  })

  it.each<[string, Changes, string]>([
    ['a plain payment', {}, 'It is not a payment through an exchange.'],
    ['a stroop more sent', through({ sendMax: '30.4500001' }), 'It sends something else, or more than was shown.'],
    ['another asset sent', through({ sendAsset: usdc }), 'It sends something else, or more than was shown.'],
    ['less delivered', through({ destAmount: '7.4999999' }), 'It pays another amount.'],
    ['another asset delivered', through({ destAsset: new Sdk.Asset('USDC', stranger) }), 'It pays in another asset.'],
    ['another destination', through({ destination: stranger }), 'It pays another account.'],
  ])('refuses to sign a path payment with %s', (_, changes, problem) => expect(problemOf(changes)).toBe(problem))
})
