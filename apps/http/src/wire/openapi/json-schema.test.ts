import { id, NewCustomers, NewDirectCheckout, NewProduct, PayerDetails } from '@quittance/client/wire'
import { longestTrialDays } from '@quittance/domain/values'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type NamedSchemas, schemaOf } from './json-schema.ts'

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)

/** Whether the schema of a codec takes a value, and whether the codec does. */
const judgesOf = (codec: t.Mixed) => {
  const named: NamedSchemas = new Map()
  const schema = schemaOf(codec, named)
  const validate = ajv.compile({ ...schema, components: { schemas: Object.fromEntries(named) } })
  return { bySchema: (value: unknown) => validate(value), byCodec: (value: unknown) => E.isRight(codec.decode(value)) }
}

const address = fc.constantFrom('https://a.example/b', 'HTTP://A.example', 'http://', 'ftp://a.example', 'https://a b')
const texts = fc.constantFrom(
  'A',
  '',
  '   ',
  'é'.repeat(250),
  '😀'.repeat(250),
  'x'.repeat(251),
  '\u00a0A',
  '+49 30 123',
)
const anything = fc.oneof(
  fc.jsonValue(),
  texts,
  address,
  fc.constantFrom(0, 1, 1.5, 2 ** 53, 'EUR', 'eur', 'one_time', 'day'),
)
const mostly = <A>(usual: fc.Arbitrary<A>) =>
  fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: anything })
const sometimes = <A>(usual: fc.Arbitrary<A>) => fc.option(mostly(usual), { nil: null })

const product = fc.record(
  {
    name: mostly(texts),
    type: mostly(fc.constantFrom('one_time', 'subscription', 'metered')),
    currency_code: mostly(fc.constantFrom('EUR', 'jpy')),
    description: sometimes(texts),
    images: sometimes(fc.array(address, { maxLength: 22 })),
    recurring_period: sometimes(fc.constantFrom('day', 'week', 'month', 'year')),
    trial_days: fc.option(fc.oneof(fc.nat(longestTrialDays), fc.constantFrom(1.5, '3'))),
    units_per_credit: sometimes(fc.nat()),
    total_credits: sometimes(fc.nat()),
    // Judged after the codec: the sign and size of a price, the length of a trial, and what metadata holds.
    price_amount: fc.option(fc.integer({ min: 1 })),
    metadata: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
  },
  { requiredKeys: [] },
)
const customer = fc.record(
  {
    email: mostly(fc.constantFrom(' a@b.example ', 'a@b', 'a@b@c', 'a')),
    name: mostly(texts),
    phone: sometimes(texts),
    image: sometimes(address),
  },
  { requiredKeys: [] },
)

describe('the schema of a codec', () => {
  it.each([
    ['a new product', NewProduct, product],
    ['new customers', NewCustomers, fc.oneof(customer, fc.array(customer, { maxLength: 3 }))],
    ['a payer', PayerDetails, customer],
    [
      'a direct checkout',
      NewDirectCheckout,
      fc.record({ currency_code: mostly(texts), redirect_url: sometimes(address) }),
    ],
  ])('the schema accepts everything that the codec accepts: %s', (_, codec, bodies) => {
    const { bySchema, byCodec } = judgesOf(codec)
    fc.assert(
      fc.property(bodies, (body) => {
        fc.pre(byCodec(body))
        expect({ body, isTaken: bySchema(body) }).toEqual({ body, isTaken: true })
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: ' \u00a0' }],
    ['a name of 251 characters', { name: '😀'.repeat(251) }],
    ['a number for a name', { name: 5 }],
    ['an unknown type', { type: 'lifetime' }],
    ['a currency of two letters', { currency_code: 'EU' }],
    ['half a trial day', { trial_days: 0.5 }],
    ['credits of nothing', { units_per_credit: 0 }],
    ['an unknown period', { recurring_period: 'hour' }],
    ['a text for a price', { price_amount: '12.5' }],
    ['an image that is no address', { images: ['javascript:alert(1)'] }],
    ['21 images', { images: Array.from({ length: 21 }, () => 'https://a.example/b.png') }],
    ['metadata that is no object', { metadata: 'text' }],
  ])('the schema refuses a product with %s', (_, wrong) => {
    const { bySchema } = judgesOf(NewProduct)
    const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
    expect([bySchema(book), bySchema(JSON.parse(JSON.stringify({ ...book, ...wrong })))]).toEqual([true, false])
  })

  it('refuses to make a schema of an unknown codec', () => {
    const secret = new t.Type<string>('a secret', t.string.is, t.string.validate, t.identity)
    expect(() => schemaOf(t.type({ secret }), new Map())).toThrow('nobody has said what a secret reads')
  })

  it('references named objects in a schema, and inlines others', () => {
    const named: NamedSchemas = new Map()
    const Pair = t.type({ one: id('prod_') }, 'Pair')
    expect(schemaOf(t.type({ first: Pair, second: Pair }), named)).toEqual({
      type: 'object',
      properties: { first: { $ref: '#/components/schemas/Pair' }, second: { $ref: '#/components/schemas/Pair' } },
      required: ['first', 'second'],
    })
    expect([...named.keys()]).toEqual(['Pair'])
  })
})
