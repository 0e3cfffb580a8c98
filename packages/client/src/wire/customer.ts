import * as t from 'io-ts'
import { optional, orNull, says, unchanged } from './codecs.ts'
import { createdAt, objectOf, updatedAt } from './fields.ts'
import { email, httpUrl, id, oneOrMany, phone, text, textMetadata } from './values.ts'
import { Wallet } from './wallet.ts'

/** A customer: personal details and linked wallets. */
export const Customer = t.type(
  {
    id: id('cus_'),
    object: objectOf('customer'),
    email: says('Unique in an account and environment. Null once it is given up.', orNull(t.string)),
    name: says('Full name.', orNull(t.string)),
    phone: says('Phone number.', orNull(t.string)),
    image: says('Address of a profile image.', orNull(t.string)),
    wallets: says('Linked ledger wallets.', t.readonlyArray(Wallet)),
    metadata: says('Data of your own: texts.', t.UnknownRecord),
    merged_into: says('The customer that has taken its place. Null unless it was merged.', orNull(id('cus_'))),
    created_at: createdAt,
    updated_at: updatedAt,
  },
  'Customer',
)
export type Customer = t.TypeOf<typeof Customer>

/** A new customer. */
export const NewCustomer = t.type(
  {
    email: says('Unique in an account and environment.', email),
    name: says('Full name.', text(250)),
    phone: says('Phone number, with at least three digits.', optional(phone)),
    image: says('Address of a profile image.', optional(httpUrl)),
    metadata: says('At most 50 keys of 40 characters, 16 KiB of JSON in all.', optional(textMetadata)),
  },
  'NewCustomer',
)

/** One customer, or several that are all checked before any is written. */
export const NewCustomers = oneOrMany(NewCustomer, 100)

/** A person who stands as two customers is one of them from now on. */
export const CustomerMergeRequest = t.type(
  {
    into: says('The customer that remains, and owns everything of both.', id('cus_')),
    reason: says('How you know that both are one person; recorded for ever.', text(500)),
  },
  'CustomerMergeRequest',
)

/** That two customers are one person. */
export const CustomerMerge = t.type(
  {
    object: objectOf('customer_merge'),
    customer_id: says('The customer that remains.', id('cus_')),
    merged_customer_id: says('The customer that has ended.', id('cus_')),
  },
  'CustomerMerge',
)

/** Changes to a customer. Missing fields stay; null clears. */
export const ChangedCustomer = t.type(
  {
    email: says('Unique in an account and environment.', unchanged(orNull(email))),
    name: says('Full name.', unchanged(orNull(text(250)))),
    phone: says('Phone number, with at least three digits.', unchanged(orNull(phone))),
    image: says('Address of a profile image.', unchanged(orNull(httpUrl))),
    metadata: says('Laid over what there is; null removes a key.', optional(textMetadata)),
  },
  'ChangedCustomer',
)
