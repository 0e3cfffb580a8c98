import * as t from 'io-ts'
import { Profile } from '../resources/profile.ts'
import { decodeOrThrow } from './decode.ts'

describe('decodeOrThrow', () => {
  const ada = {
    email: 'ada@example.org',
    name: ['Ada Lovelace'],
    phone: { number: '+15550100' },
    image: 5550100,
    metadata: { 'lovelace@example.org': 1815 },
  }
  const complaintAbout = (codec: t.Mixed, value: unknown): string => {
    try {
      return `taken: ${JSON.stringify(decodeOrThrow(codec, value))}`
    } catch (defect) {
      return String(defect)
    }
  }

  it('names the wrong fields of a damaged profile, and none of their values', () =>
    expect(complaintAbout(Profile, ada)).toBe(
      'Error: not a Profile: name is object; phone is object; image is number; metadata.* is number',
    ))

  it.each([
    ['a text', 'ada@example.org', 'it is string'],
    ['nothing', null, 'it is null'],
  ])('names the type of %s that is wrong as a whole', (_, value, words) =>
    expect(complaintAbout(Profile, value)).toBe(`Error: not a Profile: ${words}`),
  )

  it('names the index of a wrong element', () =>
    expect(complaintAbout(t.array(t.number, 'Numbers'), [1, 'secret'])).toBe('Error: not a Numbers: 1 is string'))
})
