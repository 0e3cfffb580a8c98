import { AccountId, AssetId, stroops } from '@quittance/domain'
import { named } from './named.ts'
import { formatSep7, fundingUri, payUri, txUri } from './sep7.ts'
import { conformanceJson, describeConformance } from './testing/conformance.ts'

const destination = named(AccountId, 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO')
const issuer = 'GCRCUE2C5TBNIPYHMEP7NK5RWTT2WBSZ75CMARH7GDOHDDCQH3XANFOB'
const networkPassphrase = 'Test SDF Network ; September 2015'
const encodedPassphrase = 'Test%20SDF%20Network%20%3B%20September%202015'
const native = named(AssetId, 'native')

describe('a SEP-7 request to pay', () => {
  const order = { destination, amount: stroops(1_201_234_567n), memoText: 'chk_1', networkPassphrase }

  it('names amount, memo and network, and leaves the native asset unnamed', () =>
    expect(payUri({ ...order, assetId: native })).toBe(
      `web+stellar:pay?destination=${destination}&amount=120.1234567&memo=chk_1&memo_type=MEMO_TEXT&network_passphrase=${encodedPassphrase}`,
    ))
  it('names an issued asset by code and issuer', () =>
    expect(payUri({ ...order, assetId: named(AssetId, `USD:${issuer}`) })).toBe(
      `web+stellar:pay?destination=${destination}&amount=120.1234567&asset_code=USD&asset_issuer=${issuer}&memo=chk_1&memo_type=MEMO_TEXT&network_passphrase=${encodedPassphrase}`,
    ))
})

describe('a SEP-7 request to fund an account', () => {
  const order = { account: destination, networkPassphrase, message: 'Fund it' }

  it('names the missing amount, and no memo', () =>
    expect(fundingUri({ ...order, missing: stroops(5_000_000n) })).toBe(
      `web+stellar:pay?destination=${destination}&amount=0.5&msg=Fund%20it&network_passphrase=${encodedPassphrase}`,
    ))
  it('names no amount where the payer may choose it', () =>
    expect(fundingUri({ ...order, missing: stroops(0n) })).not.toContain('amount'))
  it('shows the first 300 characters of its message', () => {
    const uri = fundingUri({ ...order, missing: stroops(0n), message: '€'.repeat(301) })
    expect(new URL(uri).searchParams.get('msg')).toBe('€'.repeat(300))
  })
})

it('a SEP-7 request to sign lets the wallet submit the transaction', () =>
  expect(txUri({ envelopeXdr: 'AA+/==', networkPassphrase })).toBe(
    `web+stellar:tx?xdr=AA%2B%2F%3D%3D&network_passphrase=${encodedPassphrase}`,
  ))

type Published = {
  readonly requests: ReadonlyArray<{
    readonly uri: string
    readonly operation: 'pay' | 'tx'
    readonly parameters: Readonly<Record<string, string>>
  }>
  readonly replacement: { readonly value: string; readonly encoded: string }
}

describeConformance('the requests printed in SEP-7', () => {
  const { requests, replacement } = conformanceJson<Published>('sep7.json')

  it.each(requests)('are written alike: $uri', ({ uri, operation, parameters }) =>
    expect(formatSep7(operation, parameters)).toBe(uri),
  )
  it('have replaced fields encoded alike', () =>
    expect(formatSep7('tx', { replace: replacement.value })).toBe(`web+stellar:tx?replace=${replacement.encoded}`))
})
