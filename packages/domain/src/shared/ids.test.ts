import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { CheckoutId, idBoundary, idSuffix, idTime, makeId, PaymentId } from './ids.ts'
import { unixMs } from './units.ts'

const anyTime = fc.integer({ min: 0, max: 8_640_000_000_000_000 }).map(unixMs)
const anyDigest = fc.uint8Array({ minLength: 10, maxLength: 10 })

describe('an id', () => {
  it('has 22 characters after its prefix for any time and digest', () =>
    fc.assert(
      fc.property(anyTime, anyDigest, (at, digest) => {
        fc.pre(at < 2 ** 48)
        expect(idSuffix(at, digest)).toMatch(/^[0-9A-Za-z]{22}$/)
      }),
    ))
  it('encodes time and digest as a 128-bit number in base62', () => {
    expect(idSuffix(unixMs(0), new Uint8Array(10))).toBe('0'.repeat(22))
    expect(idSuffix(unixMs(0), Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 61))).toBe(`${'0'.repeat(21)}z`)
    expect(idSuffix(unixMs(0), Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 62))).toBe(`${'0'.repeat(20)}10`)
    // 2^80 in base62
    expect(idSuffix(unixMs(1), new Uint8Array(10))).toBe('0000000062iEp5bu9VZbsW')
    expect(idSuffix(unixMs(2 ** 48 - 1), new Uint8Array(10).fill(255))).toBe('7n42DGM5Tflk9n8mt7Fhc7')
  })
  it('sorts ids by time', () =>
    fc.assert(
      fc.property(fc.tuple(anyTime, anyTime), anyDigest, anyDigest, ([one, other], left, right) => {
        fc.pre(one < other && other < 2 ** 48)
        expect(idSuffix(one, left) < idSuffix(other, right)).toBe(true)
      }),
    ))
  it('reads the time of an id', () => {
    fc.assert(
      fc.property(anyTime, anyDigest, (at, digest) => {
        fc.pre(at < 2 ** 48)
        expect(idTime(makeId(CheckoutId, at, digest))).toBe(at)
      }),
    )
    for (const none of ['', 'chk_', `chk_${'0'.repeat(21)}`, `chk_${'0'.repeat(23)}`, 'id-1']) {
      expect(idTime(none)).toBeNull()
    }
  })
  it('separates ids made before a moment from later ones by a boundary', () => {
    const anyMoment = fc.oneof(anyTime, fc.constantFrom(0, 1, 2 ** 48 - 1, 2 ** 48).map(unixMs))
    const edge = fc.constantFrom(new Uint8Array(10), new Uint8Array(10).fill(0xff))
    fc.assert(
      fc.property(anyMoment, anyMoment, fc.oneof(anyDigest, edge), (at, made, digest) => {
        fc.pre(made < 2 ** 48)
        for (const moment of [at, made, unixMs(made + 1)]) {
          const id = makeId(CheckoutId, made, digest)
          expect(id > idBoundary(CheckoutId, moment)).toBe(made >= moment)
          expect(id).not.toBe(idBoundary(CheckoutId, moment))
        }
      }),
    )
  })
  it('makes another id from another digest of the same moment', () =>
    fc.assert(
      fc.property(anyDigest, anyDigest, (left, right) => {
        fc.pre(left.some((byte, index) => byte !== right[index]))
        expect(idSuffix(unixMs(1), left)).not.toBe(idSuffix(unixMs(1), right))
      }),
    ))
  it('accepts an id only as its own kind', () => {
    const id = makeId(CheckoutId, unixMs(1), new Uint8Array(10))
    expect(CheckoutId.decode(id)).toEqual(E.right(id))
    expect(E.isLeft(PaymentId.decode(id))).toBe(true)
  })
  it('fits an id into a memo of 28 bytes', () =>
    expect(makeId(CheckoutId, unixMs(1), new Uint8Array(10))).toHaveLength(26))
  it.each(['', 'chk_', `chk_${'a'.repeat(21)}`, `chk_${'a'.repeat(23)}`, `chk_${'a'.repeat(21)}-`, 5])(
    'rejects a malformed id: %j',
    (input) => expect(E.isLeft(CheckoutId.decode(input))).toBe(true),
  )
  it('throws on a digest of another length or a time beyond 48 bits', () => {
    expect(() => idSuffix(unixMs(1), new Uint8Array(9))).toThrow(RangeError)
    expect(() => idSuffix(unixMs(2 ** 48), new Uint8Array(10))).toThrow(RangeError)
  })
})
