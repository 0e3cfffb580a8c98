import type { Json } from '@quittance/domain'
import canonicalize from 'canonicalize'
import * as fc from 'fast-check'
import { canonicalJson } from './canonical.ts'

const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.maxSafeInteger(), fc.boolean(), fc.constant(null))
const key = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.nat().map(String),
  fc.constantFrom('b', 'a', 'é', '', '__proto__'),
)
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(key, tie('json'), { maxKeys: 5, noNullPrototype: false }),
  ),
}))

/** Passes as JSON in TypeScript, to test values that break their declared type. */
const pretend = (value: unknown): Json => JSON.parse('[null]').fill(value)

describe('canonical text', () => {
  it('canonical text follows RFC 8785 for every value without floats', () =>
    fc.assert(
      fc.property(json, (value) => expect(canonicalJson(value)).toBe(canonicalize(value))),
      { numRuns: 1_000 },
    ))

  it("canonical text matches RFC 8785's example of key order", () => {
    const example = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 }
    expect(canonicalJson(example)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}')
  })

  it.each([
    ['a bigint', 1n],
    ['undefined', undefined],
    ['a member that is undefined', { a: undefined }],
    ['a float', 0.1],
    ['a number past 2^53', 2 ** 53],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a lone surrogate', 'a\ud800'],
    ['a lone surrogate as a key', { '\udc00': 1 }],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a function', () => 1],
    ['a list with a hole', new Array(1)],
  ])('refuses %s, however deep', (_, value) => {
    expect(() => canonicalJson(pretend(value))).toThrow(TypeError)
    expect(() => canonicalJson({ deep: [pretend(value)] })).toThrow(TypeError)
  })
})
