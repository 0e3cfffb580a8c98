import * as t from 'io-ts'
import { optional, orNull, says } from './codecs.ts'
import { assetAmount, assetId, createdAt, environment, objectOf } from './fields.ts'
import { id, oneOf, such, text, timestamp } from './values.ts'

const dollars = such(
  t.string,
  (input) => /^\d{1,11}(\.\d{1,2})?$/.test(input),
  'an amount of US dollars such as "500"',
  {
    type: 'string',
    pattern: '^\\d{1,11}(\\.\\d{1,2})?$',
    examples: ['500'],
  },
)

const limited = such(
  t.string,
  (input) => /^(merchant|each_key|key_[0-9A-Za-z]{22})$/.test(input),
  'merchant, each_key or the id of a key',
  { type: 'string', pattern: '^(merchant|each_key|key_[0-9A-Za-z]{22})$', examples: ['merchant'] },
)

/** A new limit. */
export const NewLimit = t.type(
  {
    scope: says('All requests together (`merchant`), those of each key apart (`each_key`), or of one key.', limited),
    amount: says(
      'US dollars that may go out in 24 hours without an approval; null for no limit. A higher one counts after 24 hours.',
      orNull(dollars),
    ),
  },
  'NewLimit',
)

/** What may go out without an approval. */
export const Limits = t.type(
  {
    object: objectOf('limits'),
    currency: says('The currency of all amounts: US dollars.', t.literal('USD')),
    limits: says(
      'The lowest that applies counts.',
      t.readonlyArray(
        t.type({
          scope: says('What it limits: all requests together, those of each key apart, or of one key.', limited),
          set_by: says('Who has set it: the operator of the service, or the merchant.', oneOf('operator', 'merchant')),
          amount: says('What counts now; null for no limit.', orNull(dollars)),
          next_amount: says('What counts from `next_from` on; null for no limit.', orNull(dollars)),
          next_from: says('Null if no raise is ahead.', orNull(timestamp)),
          changed_by: says('The key that has set it, or `operator`.', t.string),
          changed_at: says('When it was last set.', timestamp),
        }),
      ),
    ),
    used_24h: says(
      'What went out in the last 24 hours without an approval; null if a value is unknown.',
      orNull(dollars),
    ),
    environment,
  },
  'Limits',
)
export type Limits = t.TypeOf<typeof Limits>

/** Where an approval stands. */
export const ApprovalStatus = oneOf('waiting', 'approved', 'rejected', 'expired', 'withdrawn')

/** A decision about what waits. */
export const ApprovalDecision = t.type(
  { note: says('Kept with the decision.', optional(text(500))) },
  'ApprovalDecision',
)

/** A refund or a payout over a limit, which a second person decides about. */
export const Approval = t.type(
  {
    id: id('apr_'),
    object: objectOf('approval'),
    status: says('`withdrawn`: what waited was canceled, or a ledger holds it.', ApprovalStatus),
    of: says('What waits.', oneOf('refund', 'payout')),
    subject_id: says('The refund or payout that waits.', id('rf_', 'po_')),
    requested_by: says('The key that cannot approve it: of a key that took the place of others, the first.', t.string),
    amount: says('`<amount> <asset code>`.', assetAmount),
    asset_id: assetId,
    destination: says('The account that it is sent to.', t.string),
    value_usd: says('Its value when it was requested; null if no rate was known.', orNull(dollars)),
    cause: says('Why it needs an approval.', oneOf('merchant_limit', 'key_limit', 'value_unknown')),
    expires_at: says('Without an approval until then, it fails.', timestamp),
    decided_by: says('The key that has approved or rejected it.', orNull(t.string)),
    note: says('What was noted with the decision.', orNull(t.string)),
    ended_at: says('When it was decided or ended by itself; null while it waits.', orNull(timestamp)),
    environment,
    created_at: createdAt,
  },
  'Approval',
)
export type Approval = t.TypeOf<typeof Approval>
