import { parseExactly } from '@quittance/client/wire'
import fc from 'fast-check'
import { problem } from '../testing/client.ts'
import { HttpError } from './errors.ts'
import { exactMetadata } from './exact-metadata.ts'

const outcome = (number: string): unknown => {
  const metadata = parseExactly(`{"a":[{"n":${number}}]}`)
  try {
    return exactMetadata(metadata) === metadata ? 'kept' : 'changed'
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { status, message, code, param } = error
    return { status, body: { error: message, code, param, request_id: 'req_' } }
  }
}
const refused = { status: 400, body: problem('invalid_metadata', 'metadata') }

describe('a number in metadata', () => {
  it.each([
    '0',
    '-0',
    '0.0e999999999999',
    '1.50',
    '0.1',
    '100e-2',
    '1E+2',
    '-12.5',
    '9007199254740991',
    '1e21',
    '123456789012345680000',
    '5e-324',
    `1${'0'.repeat(300)}e-300`,
  ])('keeps a number in metadata that returns as an equal number: %s', (number) => expect(outcome(number)).toBe('kept'))

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1000000000000000055511151231257827',
    '1152921504606846976',
    `0.${'0'.repeat(500_000)}1`,
    `1${'0'.repeat(500_000)}1`,
  ])('refuses a number that would return as another one: %.40s', (number) => expect(outcome(number)).toEqual(refused))

  it('keeps any double in metadata in its notation', () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(outcome(JSON.stringify(number))).toBe('kept')
      }),
    ))

  it('keeps an integer in metadata only when it returns digit by digit', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (integer) => {
        const isSame = BigInt(String(Number(integer))) === integer
        expect(outcome(String(integer))).toEqual(isSame ? 'kept' : refused)
      }),
    ))
})
