import { AccountId, AssetId } from '@quittance/domain'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../named.ts'
import { readStellarToml, writeStellarToml } from './stellar-toml.ts'
import { accountOfKey } from './strkey.ts'

const account = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(accountOfKey)
const asset = fc
  .tuple(fc.stringMatching(/^[A-Za-z0-9]{1,12}$/), account)
  .map((parts) => parts.join(':'))
  .filter(AssetId.is)
const nothing = { networkPassphrase: null, accounts: [], signingKey: null, uriRequestSigningKey: null, currencies: [] }
const key = named(AccountId, 'GD7ACHBPHSC5OJMJZZBXA7Z5IAUFTH6E6XVLNBPASDQYJ7LO5UIYBDQW')

describe("a domain's stellar.toml", () => {
  it('is read as it was written', () =>
    fc.assert(
      fc.property(
        fc.record({
          networkPassphrase: fc.option(fc.string({ unit: 'grapheme' })),
          accounts: fc.array(account),
          signingKey: fc.option(account),
          uriRequestSigningKey: fc.option(account),
          currencies: fc.array(asset),
        }),
        (toml) => expect(readStellarToml(writeStellarToml(toml))).toEqual(E.right(toml)),
      ),
    ))

  it('is read as others write it, without unknown fields', () =>
    expect(
      readStellarToml(`
        VERSION="2.0.0" # a comment
        NETWORK_PASSPHRASE="Public Global Stellar Network ; September 2015"
        URI_REQUEST_SIGNING_KEY="${key}"
        ACCOUNTS=[ "${key}", "G", 7 ]
        [DOCUMENTATION]
        ORG_NAME="A Shop"
        [[CURRENCIES]]
        code="USD"
        issuer="${key}"
        fixed_number=92233720368547758
        [[CURRENCIES]]
        code="REGULATED"
        contract="CA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUWDA"
      `),
    ).toEqual(
      E.right({
        networkPassphrase: 'Public Global Stellar Network ; September 2015',
        accounts: [key],
        signingKey: null,
        uriRequestSigningKey: key,
        currencies: [`USD:${key}`],
      }),
    ))
  it('may be empty', () => expect(readStellarToml('')).toEqual(E.right(nothing)))

  it.each([
    ['no TOML', '<html>', expect.any(String)],
    ['a key that is none', 'URI_REQUEST_SIGNING_KEY="G"', 'URI_REQUEST_SIGNING_KEY'],
    ['a seed in place of a key', `SIGNING_KEY="S${key.slice(1)}"`, 'SIGNING_KEY'],
    ['a key twice', `SIGNING_KEY="${key}"\nSIGNING_KEY="${key}"`, expect.any(String)],
    ['a list that is none', 'ACCOUNTS=1', 'ACCOUNTS'],
    ['a passphrase that is none', 'NETWORK_PASSPHRASE=[]', 'NETWORK_PASSPHRASE'],
  ])('is refused with %s', (_, text, cause) =>
    expect(readStellarToml(text)).toEqual(E.left({ _tag: 'MalformedStellarToml', cause })),
  )
  it('never makes reading throw, whatever the text', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['Left', 'Right']).toContain(readStellarToml(`${text}\nA=[[${text}`)._tag)
        expect(['Left', 'Right']).toContain(readStellarToml('['.repeat(text.length * 1000))._tag)
      }),
    ))
})
