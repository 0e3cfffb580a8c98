import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import { assetAmount, assetId, createdAt, environment, transactionHash } from './fields.ts'
import { id, oneOf, timestamp } from './values.ts'

export const ExceptionStatus = oneOf('open', 'resolved')

/** Money that came and does not fit. */
export const Exception = t.type(
  {
    id: id('exc_'),
    object: t.literal('exception'),
    kind: oneOf(
      'underpaid',
      'overpaid',
      'late',
      'paid_twice',
      'wrong_asset',
      'after_failure',
      'unmatched',
      'dust',
      'unexplained',
    ),
    status: ExceptionStatus,
    asset_id: assetId,
    amount: says('The part that does not fit.', assetAmount),
    transaction_hash: transactionHash,
    checkout_id: says('The checkout that it came for, where it named one.', orNull(id('chk_'))),
    action: says('How it was resolved.', orNull(oneOf('refund', 'apply', 'accept'))),
    environment,
    created_at: createdAt,
    resolved_at: orNull(timestamp),
  },
  'Exception',
)
export type Exception = t.TypeOf<typeof Exception>
