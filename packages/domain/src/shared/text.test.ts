import * as E from 'fp-ts/lib/Either.js'
import { asText, HttpUrl, Text } from './text.ts'

describe('text', () => {
  it.each(['', 'Ada', '😀', 'zwei\nZeilen'])('accepts text that every store can hold: %j', (text) =>
    expect(Text.decode(text)).toEqual(E.right(text)),
  )
  it.each([
    ['a lone surrogate', '\ud800'],
    ['U+0000', 'a\u0000b'],
    ['a number', 5],
  ])('rejects %s as text', (_, input) => expect(E.isLeft(Text.decode(input))).toBe(true))
  it('throws when our own code makes invalid text', () => expect(() => asText('\udc00')).toThrow(RangeError))
})

describe('a web address', () => {
  it.each(['https://example.org', 'http://localhost:3000/a?b=c#d', 'HTTPS://EXAMPLE.ORG/'])(
    'accepts an http or https address: %s',
    (url) => expect(HttpUrl.decode(url)).toEqual(E.right(url)),
  )
  it.each([
    '',
    'example.org',
    '/path',
    'ftp://example.org',
    'javascript:alert(1)',
    'https://',
    'https://[bad',
    'http://a b',
  ])('rejects any other address: %j', (url) => expect(E.isLeft(HttpUrl.decode(url))).toBe(true))
})
