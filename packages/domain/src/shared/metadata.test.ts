import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { decoded } from '../testing/examples.ts'
import { MetadataText, mergeMetadata, metadataValues, noMetadata } from './metadata.ts'

const keys = (count: number, length = 3) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`.padStart(length, 'k'), 1]))

describe('merging metadata', () => {
  it('keeps keys that the patch does not name, and removes those set to null', () =>
    expect(mergeMetadata(decoded(MetadataText, '{"a":1,"b":{"c":2}}'), { b: null, d: 'x' })).toEqual(
      E.right('{"a":1,"d":"x"}'),
    ))
  it('replaces a nested value as a whole', () =>
    expect(mergeMetadata(decoded(MetadataText, '{"a":{"b":1,"c":2}}'), { a: { c: null } })).toEqual(
      E.right('{"a":{"c":null}}'),
    ))
  it('keeps numbers as they were sent', () =>
    expect(mergeMetadata(noMetadata, { ratio: 1.5, tiny: 1e-7 })).toEqual(E.right('{"ratio":1.5,"tiny":1e-7}')))
  it('keeps a key named like a property of every object', () => {
    const merged = mergeMetadata(noMetadata, JSON.parse('{"__proto__":{"a":1},"constructor":2}'))
    expect(merged).toEqual(E.right('{"__proto__":{"a":1},"constructor":2}'))
  })
  it('escapes half of a surrogate pair so that every store can hold it', () =>
    expect(mergeMetadata(noMetadata, { half: '\ud800' })).toEqual(E.right('{"half":"\\ud800"}')))
  it('changes nothing when the patch is repeated', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
        fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
        (first, patch) => {
          const current = mergeMetadata(noMetadata, first)
          if (E.isLeft(current)) throw new Error('the example is too large')
          const once = mergeMetadata(current.right, patch)
          if (E.isLeft(once)) throw new Error('the example is too large')
          expect(mergeMetadata(once.right, patch)).toEqual(once)
          expect(MetadataText.decode(once.right)).toEqual(once)
        },
      ),
    ))
})

describe('the limits of metadata', () => {
  it('allows at most 50 keys', () => {
    expect(E.isRight(mergeMetadata(noMetadata, keys(50)))).toBe(true)
    expect(mergeMetadata(noMetadata, keys(51))).toEqual(E.left({ _tag: 'MetadataTooManyKeys', maximum: 50 }))
  })
  it('applies the limits to the result, so a patch may make room', () => {
    const full = mergeMetadata(noMetadata, keys(50))
    if (E.isLeft(full)) throw new Error('50 keys are allowed')
    expect(mergeMetadata(full.right, { one: 1 })).toEqual(E.left({ _tag: 'MetadataTooManyKeys', maximum: 50 }))
    expect(E.isRight(mergeMetadata(full.right, { one: 1, kk0: null }))).toBe(true)
  })
  it('allows at most 40 characters a key, however many bytes they take', () => {
    expect(E.isRight(mergeMetadata(noMetadata, { ['😀'.repeat(40)]: 1 }))).toBe(true)
    const key = 'k'.repeat(41)
    expect(mergeMetadata(noMetadata, { [key]: 1 })).toEqual(E.left({ _tag: 'MetadataKeyTooLong', key, maximum: 40 }))
  })
  it('allows at most 16 KiB of JSON in UTF-8', () => {
    const frame = '{"a":""}'.length
    expect(E.isRight(mergeMetadata(noMetadata, { a: 'x'.repeat(16_384 - frame) }))).toBe(true)
    const tooLarge = E.left({ _tag: 'MetadataTooLarge', maximumBytes: 16_384 })
    expect(mergeMetadata(noMetadata, { a: 'x'.repeat(16_385 - frame) })).toEqual(tooLarge)
    expect(mergeMetadata(noMetadata, { a: 'ä'.repeat(8_189) })).toEqual(tooLarge)
  })
  it('allows at most 100 levels, the outermost included, so that no nesting overflows a recursion', () => {
    const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
    expect(E.isRight(mergeMetadata(noMetadata, { a: nested(99) }))).toBe(true)
    const tooDeep = E.left({ _tag: 'MetadataTooDeep', maximum: 100 })
    expect(mergeMetadata(noMetadata, { a: nested(100) })).toEqual(tooDeep)
    expect(mergeMetadata(noMetadata, { a: nested(100_000) })).toEqual(tooDeep)
  })
  it.each([null, 5, 'text', [1], undefined])('rejects metadata that is not an object: %p', (patch) =>
    expect(mergeMetadata(noMetadata, patch)).toEqual(E.left({ _tag: 'MetadataNotAnObject' })),
  )
  it('allows only texts as metadata of a customer', () => {
    expect(mergeMetadata(noMetadata, { a: 'x', b: null }, 'text')).toEqual(E.right('{"a":"x"}'))
    expect(mergeMetadata(noMetadata, { a: 1 }, 'text')).toEqual(E.left({ _tag: 'MetadataValueNotText', key: 'a' }))
  })
})

describe('metadata as text', () => {
  it('reads the object back from text', () =>
    expect(metadataValues(decoded(MetadataText, '{"a":[1.5]}'))).toEqual({ a: [1.5] }))
  it.each(['', '[]', 'null', '{', '{} ', '{"a"}'])('rejects text that is not the JSON of one object: %j', (text) =>
    expect(MetadataText.is(text)).toBe(false),
  )
})
