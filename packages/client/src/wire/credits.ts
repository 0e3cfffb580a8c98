import * as t from 'io-ts'
import { optional, orNull, says } from './codecs.ts'
import { createdAt, environment, metadataOf, objectOf } from './fields.ts'
import { id, metadata, oneOf, positiveCount } from './values.ts'

const balance = {
  object: objectOf('credit_balance'),
  granted: says('What confirmed payments have granted, less what refunds took back.', t.number),
  consumed: says('With a credit of which some units are left: granted - expired - balance.', t.number),
  expired: says('Credits do not expire: 0.', t.number),
  balance: says('Whole credits that are left.', t.number),
  unit: says('What is measured.', orNull(t.string)),
  units_remainder: says('Units that are left beside the whole credits.', t.number),
}

/** A customer's credits of a product, and the remaining units of a started credit. */
export const CreditBalance = t.type(balance, 'CreditBalance')
export type CreditBalance = t.TypeOf<typeof CreditBalance>

/** Units to consume, from the oldest credits first. */
export const Consumption = t.type(
  {
    units: says('How many units; `units_per_credit` of them are a credit.', positiveCount),
    metadata: says('At most 50 keys of 40 characters, 16 KiB of JSON in all.', optional(metadata)),
  },
  'Consumption',
)

/** An entry in a customer's credit ledger. */
export const CreditTransaction = t.type(
  {
    id: id('ctx_'),
    object: objectOf('credit_transaction'),
    type: says(
      '`granted` by a payment, `consumed` by usage, or `reversed` by a refund.',
      oneOf('granted', 'consumed', 'reversed'),
    ),
    units: says('How many units.', t.number),
    payment_id: says('The payment that has granted them; null for what was consumed.', orNull(id('pay_'))),
    metadata: metadataOf('entry'),
    environment,
    created_at: createdAt,
  },
  'CreditTransaction',
)
export type CreditTransaction = t.TypeOf<typeof CreditTransaction>

/** The balance after an entry. */
export const CreditChange = t.type(
  {
    ...balance,
    customer_id: says('Whose credits they are.', id('cus_')),
    product_id: says('The product that they are of.', id('prod_')),
    transaction: says('The entry that has changed the balance.', CreditTransaction),
  },
  'CreditChange',
)
