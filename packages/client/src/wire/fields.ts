import { Environment } from '@quittance/domain/values'
import * as t from 'io-ts'
import { type DocumentedType, orNull, says } from './codecs.ts'
import { id, such, timestamp } from './values.ts'

// Fields that several resources share with the same meaning.

/** The name of an object's type, in its field `object`. */
export const objectOf = <Name extends string>(name: Name): DocumentedType<t.LiteralC<Name>> =>
  says(`What kind of object this is: \`${name}\`.`, t.literal(name))
export const isDeleted = says('Always true.', t.literal(true))

export const environment = says('The network of the key with which it was made.', Environment)
export const createdAt = says('When it was made.', timestamp)
export const updatedAt = says('When it was last changed.', timestamp)
export const metadataOf = (resource: string) => says(`Data of your own, kept with the ${resource}.`, t.UnknownRecord)

export const customerId = says('The customer.', orNull(id('cus_')))
export const checkoutId = says('The originating checkout.', id('chk_'))
export const paymentId = says('The payment, once there is one.', orNull(id('pay_')))
export const subscriptionId = says('The subscription, once there is one.', orNull(id('sub_')))

/** A SEP-11 name: `native`, or `CODE:ISSUER`. */
export const assetId = such(
  t.string,
  (input) => /^(native|[A-Za-z0-9]{1,12}:G[A-Z2-7]{55})$/.test(input),
  'an asset: native, or CODE:ISSUER',
  {
    type: 'string',
    description: 'An asset by its SEP-11 name: `native`, or `CODE:ISSUER`.',
    pattern: '^(native|[A-Za-z0-9]{1,12}:G[A-Z2-7]{55})$',
    examples: ['native'],
  },
)

/** The short name of an asset, which several issuers may use: `XLM` of `native`. */
export const assetCode = such(
  t.string,
  (input) => /^[A-Za-z0-9]{1,12}$/.test(input),
  'the code of an asset, such as USDC',
  {
    description: 'The code in `asset_id`; `XLM` of `native`.',
    type: 'string',
    pattern: '^[A-Za-z0-9]{1,12}$',
    examples: ['USDC'],
  },
)

/** What a price is stated in. */
export const priceCurrency = says(
  'What the price is stated in: a currency by ISO 4217, or an asset by its code. What is paid in is `asset_id`.',
  t.string,
)

/** A decimal without trailing zeros and the asset's code, such as `12.5 USDC`. */
export const assetAmount = such(
  t.string,
  (input) => /^\d+(\.\d{1,7})? [A-Za-z0-9]{1,12}$/.test(input),
  'an amount and its asset, such as 12.5 USDC',
  { type: 'string', pattern: '^\\d+(\\.\\d{1,7})? [A-Za-z0-9]{1,12}$', examples: ['12.5 USDC'] },
)

/** A decimal in units of an asset, such as `12.5`. */
export const decimal = such(t.string, (input) => /^\d+(\.\d+)?$/.test(input), 'a decimal, such as 12.5', {
  type: 'string',
  pattern: '^\\d+(\\.\\d+)?$',
  examples: ['12.5'],
})

/** A whole number of stroops (10⁻⁷ of an asset) in digits. */
export const stroopDigits = such(t.string, (input) => /^\d{1,19}$/.test(input), 'a whole number in digits', {
  type: 'string',
  pattern: '^\\d{1,19}$',
  examples: ['125000000'],
})

export const transactionHash = such(t.string, (input) => /^[0-9a-f]{64}$/.test(input), "a transaction's hash", {
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  examples: ['3389e9f0f1a65f19736cacf544c2e825313e8447f569233bb8db39aa607c8889'],
})
