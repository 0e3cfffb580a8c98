import { Environment } from '@quittance/domain/values'
import * as t from 'io-ts'
import { described, optional, orNull, says } from './codecs.ts'
import { objectOf } from './fields.ts'
import { email, httpUrl, id, text, timestamp } from './values.ts'
import { WalletProof } from './wallet.ts'

const returnAddress = described(
  httpUrl,
  'an https address; with a test key, http to 127.0.0.1 or localhost will do',
  httpUrl.schema,
)
const returnUrl = says(
  'Where the portal’s link back leads: an https address; with a test key also http to a loopback address.',
  optional(returnAddress),
)

/** What a portal session is opened with. */
export const NewPortalSession = t.type({ return_url: returnUrl }, 'NewPortalSession')

/** The signed challenge for the portal. */
export const PortalProof = t.type(
  {
    ...WalletProof.props,
    customer_id: says('Which one, where several customers have proven the wallet.', optional(id('cus_'))),
    return_url: returnUrl,
  },
  'PortalProof',
)

/** An address of the customer portal. */
export const PortalSession = t.type(
  {
    object: objectOf('portal_session'),
    url: says('Where to send the customer: good for one visit.', t.string),
    token: says('The token that is in the address.', t.string),
    expires_at: says('Until when the address is good: five minutes.', timestamp),
    return_url: says('Where its link back leads; null for no link.', orNull(t.string)),
  },
  'PortalSession',
)

/** Whom to send a code that opens the portal. */
export const PortalEntryRequest = t.type(
  {
    merchant_id: says('Whose customer: `merchant_id` of your keys.', text(100)),
    environment: says('Where the customer is.', Environment),
    email: says('The email to which the code goes.', email),
  },
  'PortalEntryRequest',
)

/** A code is on its way if a customer has the email; the answer is the same otherwise. */
export const PortalEntry = t.type(
  {
    object: objectOf('portal_entry'),
    id: says('To send together with the code.', t.string),
    expires_at: says('Until when the code is good: ten minutes.', timestamp),
  },
  'PortalEntry',
)

/** The code as the customer has typed it: in whatever case, with or without its hyphen. */
export const EnteredCode = t.type(
  {
    entry_id: says('The `id` of the request for the code.', text(100)),
    code: says('What the customer has typed.', text(100)),
  },
  'EnteredCode',
)
