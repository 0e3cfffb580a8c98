import {
  isLogo,
  isProfileAddress,
  isProfileLine,
  mostAddressCharacters,
  mostLogoCharacters,
  Text,
} from '@quittance/domain/values'
import * as t from 'io-ts'
import { orNull, says, unchanged } from './codecs.ts'
import { assetId, decimal, environment, objectOf } from './fields.ts'
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
  maxLength: mostAddressCharacters,
  pattern: '\\S',
  examples: ['Hafenweg 1\n20457 Hamburg'],
})

const logo = such(Text, isLogo, 'a data: URI of a PNG, JPEG or WebP image of at most 32 KiB', {
  type: 'string',
  maxLength: mostLogoCharacters,
  pattern: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
  // The least PNG: one transparent pixel.
  examples: [
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ],
})

const noticesTo = such(Text, (input) => /^[^\s@]+@[^\s@]+$/.test(input) && input.length <= 254, 'an email address', {
  type: 'string',
  pattern: '^[^\\s@]+@[^\\s@]+$',
  examples: ['billing@aurora.example'],
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
  legal_name: says('The name under which it does business.', line(200)),
  address: says('Its postal address: at most 8 lines of 120 characters.', address),
  tax_id: says('The number under which it pays taxes.', line(64)),
  support_contact: says('An email or https address, or a phone number.', line(254)),
  terms: says('Shown before payment, and recorded with each sale.', Terms),
  logo: says('Shown on pages, inside them.', logo),
  customer_mails: says(
    'Whether customers get mails: receipts, renewals, failed payments. Null: in the sandbox alone.',
    t.boolean,
  ),
  notices_to: says('The address that is told by mail when an exception waits. Customers do not see it.', noticesTo),
}

/** Changes to who the merchant is. Missing fields stay, null removes. */
export const ChangedMerchant = t.type(
  {
    legal_name: says(whoItIs.legal_name.description, unchanged(orNull(whoItIs.legal_name))),
    address: says(whoItIs.address.description, unchanged(orNull(whoItIs.address))),
    tax_id: says(whoItIs.tax_id.description, unchanged(orNull(whoItIs.tax_id))),
    support_contact: says(whoItIs.support_contact.description, unchanged(orNull(whoItIs.support_contact))),
    terms: says(whoItIs.terms.description, unchanged(orNull(whoItIs.terms))),
    logo: says(whoItIs.logo.description, unchanged(orNull(whoItIs.logo))),
    customer_mails: says(whoItIs.customer_mails.description, unchanged(orNull(whoItIs.customer_mails))),
    notices_to: says(whoItIs.notices_to.description, unchanged(orNull(whoItIs.notices_to))),
  },
  'ChangedMerchant',
)

const feeTerms = {
  basis_points: says('Hundredths of a percent of what was paid.', t.number),
  fixed: says(
    'Added in these assets.',
    t.readonlyArray(t.type({ asset_id: assetId, amount: says('How much of it, in units of the asset.', decimal) })),
  ),
}

/** Who the merchant is, as customers see it in one environment. */
export const Merchant = t.type(
  {
    object: objectOf('merchant'),
    environment,
    name: says('The name that the operator has given it.', t.string),
    legal_name: says('The name under which it does business.', orNull(t.string)),
    address: says('Its postal address, of one line or several.', orNull(t.string)),
    tax_id: says('The number under which it pays taxes.', orNull(t.string)),
    support_contact: says('Where customers get help: an email or https address, or a phone number.', orNull(t.string)),
    terms: says(
      'The terms that are shown before payment, and recorded with each sale.',
      orNull(t.type({ url: says('Where customers read them.', t.string), version: says('Which they are.', t.string) })),
    ),
    logo: says('Its logo as a `data:` URI.', orNull(t.string)),
    customer_mails: says('Whether its customers get mails of what happens.', t.boolean),
    notices_to: says('The address that is told by mail when an exception waits.', orNull(t.string)),
    platform_fee: says('What the operator takes of each sale and renewal.', orNull(t.type(feeTerms))),
    next_platform_fee: says(
      'What it takes of those that begin later.',
      orNull(t.type({ ...feeTerms, from: says('When these terms begin to count.', timestamp) })),
    ),
  },
  'Merchant',
)
export type Merchant = t.TypeOf<typeof Merchant>
