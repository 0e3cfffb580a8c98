import * as Sdk from '@stellar/stellar-sdk'
import { trustlineProblem } from './check-trustline.ts'
import type { StellarSdk } from './sdk.ts'

const sdk: StellarSdk = Sdk
const address = (seed: number): string => Sdk.Keypair.fromRawEd25519Seed(new Uint8Array(32).fill(seed)).publicKey()
const payer = address(1)
const usdc = new Sdk.Asset('USDC', address(3))
const { changeTrust } = Sdk.Operation

const problemOf = (operations: ReadonlyArray<Sdk.xdr.Operation>, { source = payer, fee = '100' } = {}) => {
  const builder = new Sdk.TransactionBuilder(new Sdk.Account(source, '7'), { fee, networkPassphrase: 'A network' })
  for (const operation of operations) builder.addOperation(operation)
  const read = sdk.TransactionBuilder.fromXdr(builder.setTimebounds(0, 0).build().toXdr(), 'A network')
  if ('innerTransaction' in read) throw new Error('not a plain transaction')
  return trustlineProblem(read, payer, `USDC:${address(3)}`)
}

describe('a trustline that the service proposes', () => {
  it('is signed if it is for the asset on the page, and nothing else', () =>
    expect(problemOf([changeTrust({ asset: usdc, source: payer })])).toBeNull())

  it.each<[string, ReturnType<typeof problemOf>, string]>([
    ['another asset', problemOf([changeTrust({ asset: new Sdk.Asset('USDC', address(4)) })]), 'It adds another asset.'],
    ['a removal', problemOf([changeTrust({ asset: usdc, limit: '0' })]), 'It removes the asset.'],
    [
      'another account',
      problemOf([changeTrust({ asset: usdc })], { source: address(9) }),
      'It is sent by another account.',
    ],
    [
      'something beside it',
      problemOf([changeTrust({ asset: usdc }), changeTrust({ asset: usdc })]),
      'It does something besides adding the asset.',
    ],
    [
      'a payment',
      problemOf([Sdk.Operation.payment({ destination: address(9), asset: usdc, amount: '1' })]),
      'It does something besides adding the asset.',
    ],
    [
      'a fee of more than 0.1 XLM',
      problemOf([changeTrust({ asset: usdc })], { fee: '1000001' }),
      'Its fee is too high.',
    ],
  ])('is not signed with %s', (_, problem, expected) => expect(problem).toBe(expected))
})
