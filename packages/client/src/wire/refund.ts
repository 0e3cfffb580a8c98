import * as t from 'io-ts'
import { optional, says } from './codecs.ts'
import { account, metadata, text } from './values.ts'

/** A payment to be given back, whole. */
export const NewRefund = t.type(
  {
    payment_id: says('A confirmed payment.', text(100)),
    reason: optional(text(5_000)),
    wallet_address: says('Where it goes to. Left out: the wallet that paid.', optional(account)),
    metadata: says('At most 50 keys of 40 characters, 16 KiB of JSON in all.', optional(metadata)),
  },
  'NewRefund',
)
