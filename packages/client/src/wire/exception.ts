import * as t from 'io-ts'
import { optional, orNull, says } from './codecs.ts'
import { assetAmount, assetId, createdAt, environment, objectOf, stroopDigits, transactionHash } from './fields.ts'
import { account, id, oneOf, positiveCount, text, timestamp } from './values.ts'

/** Whether an exception waits for a decision. */
export const ExceptionStatus = oneOf('open', 'resolved')

/** What does not fit. */
export const ExceptionKind = oneOf(
  'underpaid',
  'overpaid',
  'late',
  'paid_twice',
  'wrong_asset',
  'after_failure',
  'authorization_failed',
  'unmatched',
  'dust',
  'unexplained',
  'screened',
)

const ExceptionAction = oneOf('refund', 'apply', 'accept')

/** A person's decision about an exception. */
export const Resolution = t.type(
  {
    action: says('`refund`: it goes back; `apply`: it counts for a checkout; `accept`: it is kept.', ExceptionAction),
    destination: says(
      'Of a `refund`: where it goes to, as the `wallet_address` of a refund. Left out: to its sender, where that is known.',
      optional(account),
    ),
    checkout_id: says('Of `apply`: the checkout that it counts for.', optional(text(100))),
    note: says('Kept with the decision.', optional(text(5_000))),
  },
  'Resolution',
)

const PaidTo = t.type({
  address: says('The account that was paid.', t.string),
  muxed_id: says('The number inside its muxed address, if it was named by one.', orNull(t.string)),
  amount: says('How much it was paid.', assetAmount),
})

/** An incoming payment that fits nothing. */
export const Exception = t.type(
  {
    id: id('exc_'),
    object: objectOf('exception'),
    kind: says('What does not fit.', ExceptionKind),
    status: says('`resolved` once it went back, counts or is kept.', ExceptionStatus),
    asset_id: assetId,
    amount: says('The part that does not fit.', assetAmount),
    amount_stroops: says('The amount in 10⁻⁷ of the asset.', stroopDigits),
    payments: says(
      'How many incoming payments of one ledger it stands for; the others are those after the named one.',
      positiveCount,
    ),
    transaction_hash: says('The transaction on the ledger that brought it.', transactionHash),
    from_address: says('The account that it came from, as far as that is known.', t.string),
    memo: says('The memo that it came with, where that names nothing of ours.', orNull(t.string)),
    paid_to: says(
      'Of `unexplained`: the payments of the service that make up the change, where a restored log has lost their purpose.',
      t.readonlyArray(PaidTo),
    ),
    checkout_id: says('The checkout that it came for, where it named one.', orNull(id('chk_'))),
    payment_id: says('The payment that it came for.', orNull(id('pay_'))),
    decision_needed: says(
      'Why a person has to decide, for a program. Null while it is on its way, and once it is resolved.',
      orNull(
        oneOf(
          'not_returnable',
          'sender_unknown',
          'sender_is_ours',
          'is_return',
          'unknown_lumens',
          'destination_not_found',
          'destination_no_trustline',
          'destination_not_authorized',
          'destination_full',
          'destination_requires_memo',
          'destination_is_omnibus',
          'destination_is_own',
          'insufficient_funds',
          'log_rolled_back',
          'perhaps_paid',
          'refused_by_ledger',
          'not_sent',
          'return_canceled',
          'network_reset',
          'screening',
          'screening_kept',
          'screening_cleared',
        ),
      ),
    ),
    decision_message: says('Why a person has to decide, for that person.', orNull(t.string)),
    return_status: says(
      'How its last return stands; null where none was tried.',
      orNull(oneOf('pending', 'succeeded', 'failed')),
    ),
    return_address: says('Where its last return goes to.', orNull(t.string)),
    return_sends_at: says(
      'Until when its return waits and can be canceled, since nothing shows whose the account is. Null if it does not wait.',
      orNull(timestamp),
    ),
    return_transaction_hash: says(
      'The transaction of its return, on the ledger that holds it.',
      orNull(transactionHash),
    ),
    return_failure_code: says("The ledger's own code for why a return failed.", orNull(t.string)),
    applied_to: says('The checkout that it was applied to.', orNull(id('chk_'))),
    applied_from: says(
      'The exception whose money a person had applied where it does not fit either.',
      orNull(id('exc_')),
    ),
    action: says('How it was resolved.', orNull(ExceptionAction)),
    note: says('What was noted with the decision.', orNull(t.string)),
    resolved_by: says('Who decided: the id of an API key, or `process`.', orNull(t.string)),
    environment,
    created_at: createdAt,
    resolved_at: says('When it was resolved.', orNull(timestamp)),
  },
  'Exception',
)
export type Exception = t.TypeOf<typeof Exception>
