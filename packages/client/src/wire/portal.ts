import * as t from 'io-ts'
import { says } from './codecs.ts'
import { timestamp } from './values.ts'

/** An address of the customer portal. */
export const PortalSession = t.type(
  {
    object: t.literal('portal_session'),
    url: says('Where to send the customer: good for one visit.', t.string),
    token: says('The token that is in the address.', t.string),
    expires_at: says('Until when the address is good: five minutes.', timestamp),
  },
  'PortalSession',
)
