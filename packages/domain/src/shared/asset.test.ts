import fc from 'fast-check'
import { accountOf, strkeyOf } from '../testing/account.ts'
import { decoded, native, usdc } from '../testing/examples.ts'
import { AccountId, AssetId, assetCode, ContractId, issuerOf } from './asset.ts'

// From SEP-23's own examples.
const published = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'

describe('an account', () => {
  it('reads an account from its strkey', () => expect(AccountId.is(published)).toBe(true))
  it('reads an account with any key', () =>
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        expect(AccountId.is(strkeyOf([6 << 3, ...key]))).toBe(true)
      }),
    ))
  it('rejects an account with any one character changed', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 55 }),
        fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
        (at, other) => {
          fc.pre(published[at] !== other)
          expect(AccountId.is(`${published.slice(0, at)}${other}${published.slice(at + 1)}`)).toBe(false)
        },
      ),
    ))
  it.each([
    ['nothing', ''],
    ['a secret seed', strkeyOf([18 << 3, ...Array.from({ length: 32 }, () => 1)])],
    ['a contract', strkeyOf([2 << 3, ...Array.from({ length: 32 }, () => 1)])],
    ['a muxed account', 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ'],
    ['small letters', published.toLowerCase()],
    ['one character less', published.slice(0, -1)],
    ['one character more', `${published}A`],
    ['a space after it', `${published} `],
    ['padding', `${published.slice(0, -1)}=`],
    ['letters outside ASCII', `${published.slice(0, -1)}Ｚ`],
    ['the wrong type of value', 5],
  ])('rejects %s as an account', (_, input) => expect(AccountId.is(input)).toBe(false))
})

describe('a contract', () => {
  it('reads a contract from its strkey', () =>
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (hash) => {
        expect(ContractId.is(strkeyOf([2 << 3, ...hash]))).toBe(true)
      }),
    ))
  it.each([
    ['an account', published],
    ['an account that calls itself a contract', `C${published.slice(1)}`],
    ['one character less', strkeyOf([2 << 3, ...Array.from({ length: 32 }, () => 1)]).slice(0, -1)],
  ])('rejects %s as a contract', (_, input) => expect(ContractId.is(input)).toBe(false))
})

describe('an asset', () => {
  const issuer = accountOf(3)
  it.each(['native', `U:${issuer}`, `USDC:${issuer}`, `abcdefGHI123:${issuer}`])(
    'reads an asset by its name: %s',
    (name) => expect(AssetId.is(name)).toBe(true),
  )
  it.each([
    '',
    'XLM',
    'NATIVE',
    'USDC',
    `:${issuer}`,
    `USDC${issuer}`,
    `USDC:${issuer.slice(0, -1)}A`,
    `USDC:${issuer}:`,
    `abcdefGHI1234:${issuer}`,
    `US-C:${issuer}`,
    `US C:${issuer}`,
    issuer,
  ])('rejects an asset name: %j', (name) => expect(AssetId.is(name)).toBe(false))
  it('splits an asset into its code and its issuer', () => {
    expect(assetCode(usdc)).toBe('USDC')
    expect(issuerOf(usdc)).toBe(issuer)
  })
  it('calls the native asset XLM, without an issuer', () => {
    expect(assetCode(native)).toBe('XLM')
    expect(issuerOf(native)).toBeNull()
  })
  it('does not take an issued asset with the code XLM for the native one', () =>
    expect(issuerOf(decoded(AssetId, `XLM:${issuer}`))).toBe(issuer))
})
