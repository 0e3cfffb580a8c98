import { isLogo, isProfileAddress, isProfileLine, Text } from '@quittance/domain/values'
import * as t from 'io-ts'
import { orNull, says, unchanged } from './codecs.ts'
import { assetId, decimal, environment } from './fields.ts'
import { httpUrl, such, timestamp } from './values.ts'

const line = (longest: number) =>
  such(
    Text,
    (input) => isProfileLine(input, longest),
    `a line of 1 to ${longest} characters, none of which controls the direction of text`,
    { type: 'string', minLength: 1, maxLength: longest, pattern: '\\S' },
  )

const address = such(Text, isProfileAddress, 'an address of at most 8 lines of 120 characters', {
  type: 'string',
  minLength: 1,
  maxLength: 967,
  pattern: '\\S',
  examples: ['Hafenweg 1\n20457 Hamburg'],
})

const logo = such(Text, isLogo, 'a data: URI of a PNG, JPEG or WebP image of at most 32 KiB', {
  type: 'string',
  maxLength: 43_720,
  pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
  // The least PNG: one transparent pixel.
  examples: [
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ],
})

const httpsUrl = such(httpUrl, (input) => input.toLowerCase().startsWith('https:'), 'an https address', {
  ...httpUrl.schema,
  pattern: '^[Hh][Tt][Tt][Pp][Ss]://[^\\s\\x00-\\x1f\\x7f-\\x9f/\\\\?#][^\\s\\x00-\\x1f\\x7f-\\x9f]*$',
  examples: ['https://shop.example/terms'],
})

/** Where a merchant's terms are, and which. */
export const Terms = t.type(
  {
    url: says('Where customers read them.', httpsUrl),
    version: says('Which they are: a version, a date, or the hash of their text.', line(128)),
  },
  'Terms',
)

const whoItIs = {
  legal_name: line(200),
  address,
  tax_id: line(64),
  support_contact: says('An email or https address, or a phone number.', line(254)),
  terms: says('Shown before payment, and recorded with each sale.', Terms),
  logo: says('Shown on pages, inside them.', logo),
}

/** Changes to who the merchant is. Missing fields stay, null removes. */
export const ChangedMerchant = t.type(
  {
    legal_name: unchanged(orNull(whoItIs.legal_name)),
    address: unchanged(orNull(whoItIs.address)),
    tax_id: unchanged(orNull(whoItIs.tax_id)),
    support_contact: says(whoItIs.support_contact.description, unchanged(orNull(whoItIs.support_contact))),
    terms: says(whoItIs.terms.description, unchanged(orNull(whoItIs.terms))),
    logo: says(whoItIs.logo.description, unchanged(orNull(whoItIs.logo))),
  },
  'ChangedMerchant',
)

const feeTerms = {
  basis_points: says('Hundredths of a percent of what was paid.', t.number),
  fixed: says('Added in these assets.', t.readonlyArray(t.type({ asset_id: assetId, amount: decimal }))),
}

/** Who the merchant is, as customers see it in one environment. */
export const Merchant = t.type(
  {
    object: t.literal('merchant'),
    environment,
    name: t.string,
    legal_name: orNull(t.string),
    address: orNull(t.string),
    tax_id: orNull(t.string),
    support_contact: orNull(t.string),
    terms: orNull(t.type({ url: t.string, version: t.string })),
    logo: orNull(t.string),
    platform_fee: says('What the operator takes of each sale and renewal.', orNull(t.type(feeTerms))),
    next_platform_fee: says(
      'What it takes of those that begin later.',
      orNull(t.type({ ...feeTerms, from: timestamp })),
    ),
  },
  'Merchant',
)
export type Merchant = t.TypeOf<typeof Merchant>
