import { AccountId } from '@quittance/domain'
import { StrKey, xdr } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { conformanceJson, describeConformance } from '../testing/conformance.ts'
import { addressOf } from './addresses.ts'
import { accountOfKey, readStrkey, type Strkey, writeStrkey } from './strkey.ts'

const bytes = (minLength: number, maxLength = minLength) => fc.uint8Array({ minLength, maxLength })
const hex = (from: fc.Arbitrary<Uint8Array>) => from.map((each) => Buffer.from(each).toString('hex'))
const account = bytes(32).map(accountOfKey)
const anyStrkey: fc.Arbitrary<Strkey> = fc.oneof(
  fc.record({ _tag: fc.constant('account' as const), account }),
  fc.record({
    _tag: fc.constant('muxed_account' as const),
    account,
    muxedId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  }),
  fc.record({ _tag: fc.constant('signed_payload' as const), account, payload: hex(bytes(1, 64)) }),
  fc.record({
    _tag: fc.constantFrom(
      'pre_auth_transaction' as const,
      'hash_x' as const,
      'contract' as const,
      'liquidity_pool' as const,
      'claimable_balance' as const,
    ),
    hash: hex(bytes(32)),
  }),
)
const firstLetter: Readonly<Record<Strkey['_tag'], string>> = {
  account: 'G',
  muxed_account: 'M',
  signed_payload: 'P',
  pre_auth_transaction: 'T',
  hash_x: 'X',
  contract: 'C',
  liquidity_pool: 'L',
  claimable_balance: 'B',
}
const malformed = E.left({ _tag: 'MalformedStrkey', cause: expect.any(String) })

describe('an address', () => {
  it('of every kind is read as it was written, and begins with the letter of its kind', () =>
    fc.assert(
      fc.property(anyStrkey, (strkey) => {
        const text = writeStrkey(strkey)
        expect([readStrkey(text), text[0]]).toEqual([E.right(strkey), firstLetter[strkey._tag]])
        expect(AccountId.is(text)).toBe(strkey._tag === 'account')
      }),
      { numRuns: 500 },
    ))

  it('is refused when any one character differs', () =>
    fc.assert(
      fc.property(
        anyStrkey,
        fc.nat(),
        fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567=ab01 ß'),
        (one, at, other) => {
          const text = writeStrkey(one)
          const index = at % text.length
          fc.pre(text[index] !== other)
          expect(readStrkey(`${text.slice(0, index)}${other}${text.slice(index + 1)}`)).toEqual(malformed)
        },
      ),
      { numRuns: 1000 },
    ))

  it('is refused when it is cut short or longer', () =>
    fc.assert(
      fc.property(anyStrkey, fc.nat(), fc.string({ minLength: 1 }), (strkey, at, more) => {
        const text = writeStrkey(strkey)
        expect(readStrkey(text.slice(0, at % text.length))).toEqual(malformed)
        expect(readStrkey(`${text}${more}`)).toEqual(malformed)
      }),
    ))

  it('never makes reading throw, whatever the text', () =>
    fc.assert(
      fc.property(fc.constantFrom(...'GMTXPCLBS', ''), fc.string({ unit: 'binary', maxLength: 200 }), (kind, text) => {
        expect(readStrkey(`${kind}${text}`)).toEqual(malformed)
      }),
      { numRuns: 1000 },
    ))

  it('is no secret seed, which the rejection does not repeat', () =>
    expect(readStrkey(StrKey.encodeEd25519SecretSeed(new Uint8Array(32).fill(1)))).toEqual(
      E.left({ _tag: 'SecretSeed' }),
    ))

  it.each<[string, Strkey]>([
    ['a hash of 31 bytes', { _tag: 'contract', hash: 'ab'.repeat(31) }],
    ['a payload of no bytes', { _tag: 'signed_payload', account: accountOfKey(new Uint8Array(32)), payload: '' }],
    [
      'a payload of 65 bytes',
      { _tag: 'signed_payload', account: accountOfKey(new Uint8Array(32)), payload: 'ab'.repeat(65) },
    ],
  ])('is not written for %s', (_, strkey) => expect(() => writeStrkey(strkey)).toThrow(RangeError))
})

type Published = {
  readonly valid: ReadonlyArray<{
    readonly strkey: string
    readonly kind: string
    readonly description: string
    readonly ed25519?: string
    readonly id?: string
    readonly payloadHex?: string
    readonly hashHex?: string
    readonly muxedAccountXdrHex?: string
  }>
  readonly invalid: ReadonlyArray<{ readonly strkey: string; readonly because: string }>
}

describeConformance('addresses printed in the standard', () => {
  const { valid, invalid } = conformanceJson<Published>('strkey.json')

  it.each(valid)('are read, with what is inside: $description', (published) => {
    const { strkey, kind, ed25519 = strkey, id, payloadHex, hashHex } = published
    const inside = {
      _tag: kind.replace(' ', '_'),
      ...(hashHex === undefined ? { account: ed25519 } : { hash: hashHex }),
      ...(id === undefined ? {} : { muxedId: id }),
      ...(payloadHex === undefined ? {} : { payload: payloadHex }),
    }
    const read = readStrkey(strkey)
    expect(read).toEqual(E.right(inside))
    expect(E.map(writeStrkey)(read)).toEqual(E.right(strkey))
  })
  it.each(valid.filter(({ muxedAccountXdrHex }) => muxedAccountXdrHex !== undefined))(
    'are the address in their XDR: $description',
    ({ muxedAccountXdrHex = '', ed25519, strkey, id = null }) =>
      expect(addressOf(xdr.MuxedAccount.fromXdr(muxedAccountXdrHex, 'hex'))).toEqual({
        account: ed25519 ?? strkey,
        muxedId: id,
      }),
  )
  it.each(invalid)('are refused: $because', ({ strkey }) => expect(readStrkey(strkey)).toEqual(malformed))
})
