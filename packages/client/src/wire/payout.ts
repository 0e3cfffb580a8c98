import * as t from 'io-ts'
import { described, type JsonSchema, optional, orNull, type SchemaType, says } from './codecs.ts'
import {
  assetAmount,
  assetId,
  createdAt,
  decimal,
  environment,
  isDeleted,
  metadataOf,
  objectOf,
  stroopDigits,
  transactionHash,
} from './fields.ts'
import { count, digits, id, metadata, oneOf, text, timestamp } from './values.ts'
import { WalletChallenge } from './wallet.ts'

const wantedAsset = says(
  'An asset of your settlement account.',
  described(assetId, 'native, or CODE:ISSUER as GET /assets lists it in asset_id', assetId.schema),
)

const decimalText = /^\d{1,12}(\.\d{1,7})?$/

/** An amount in units of an asset: a text such as `"12.5"`, or a number, read from its source text. */
const amountOr = (accepts: (text: string) => boolean, name: string, schema: JsonSchema): SchemaType<string, string> =>
  described(
    new t.Type<string, string, unknown>(
      name,
      t.string.is,
      (input, context) => {
        if (typeof input === 'number') return digits.validate(input, context)
        return typeof input === 'string' && accepts(input) ? t.success(input) : t.failure(input, context)
      },
      t.identity,
    ),
    name,
    schema,
  )

const amount = amountOr((text) => decimalText.test(text), 'an amount such as "12.5"', {
  type: ['string', 'number'],
  pattern: '^\\d{1,12}(\\.\\d{1,7})?$',
  minimum: 0,
  examples: ['12.5'],
})

/** A positive amount, or everything available. */
const amountOrAll = amountOr((text) => text === 'all' || decimalText.test(text), 'an amount such as "12.5", or "all"', {
  type: ['string', 'number'],
  pattern: '^(all|\\d{1,12}(\\.\\d{1,7})?)$',
  exclusiveMinimum: 0,
  examples: ['12.5', 'all'],
})

export const MemoType = oneOf('text', 'id')

/** A new payout. */
export const NewPayout = t.type(
  {
    asset_id: wantedAsset,
    amount: says('In units of the asset, or `all` that is available.', amountOrAll),
    destination: says('A registered destination, by its id or its address.', text(100)),
    memo: says(
      'Instead of the memo that is registered with the destination. Only with a secret key.',
      optional(text(28)),
    ),
    memo_type: says('Of `memo`: `text` unless you say `id`.', optional(MemoType)),
    metadata: says('At most 50 keys of 40 characters, 16 KiB of JSON in all.', optional(metadata)),
  },
  'NewPayout',
)

/** Where a payout stands. */
export const PayoutStatus = oneOf('pending', 'succeeded', 'failed', 'canceled')

const memo = {
  memo: says('What tells the receiver whose the money is.', orNull(t.string)),
  memo_type: says('The type of `memo`; null without one.', orNull(MemoType)),
}

/** A payout of your money. */
export const Payout = t.type(
  {
    id: id('po_'),
    object: objectOf('payout'),
    status: says('`pending` until a closed ledger decides.', PayoutStatus),
    asset_id: assetId,
    amount: says('`<amount> <asset code>`.', assetAmount),
    amount_stroops: says('The amount in 10⁻⁷ of the asset.', stroopDigits),
    destination: says('The address that it is sent to (`G…` or `M…`).', t.string),
    destination_id: says('The registered destination.', id('pdst_')),
    ...memo,
    purpose: says(
      '`platform_fee`: the operator collects its fees; its destination is not registered.',
      oneOf('payout', 'platform_fee'),
    ),
    approval_id: says(
      'The approval that it waits for, since it is over a limit. Null if it waits for none.',
      orNull(id('apr_')),
    ),
    automatic: says('Whether a schedule has made it.', t.boolean),
    transaction_hash: says('The transaction on the ledger that holds it.', orNull(transactionHash)),
    ledger: says('The sequence of the ledger that holds it.', orNull(count)),
    succeeded_at: says('When that ledger closed.', orNull(timestamp)),
    canceled_at: says('When it was canceled.', orNull(timestamp)),
    failure_reason: says(
      'Why it has failed, for a program. Nothing was paid, and the money is available again.',
      orNull(
        oneOf(
          'destination_not_found',
          'destination_no_trustline',
          'destination_not_authorized',
          'destination_full',
          'insufficient_funds',
          'not_approved',
          'refused_by_ledger',
          'not_sent',
          'network_reset',
        ),
      ),
    ),
    failure_message: says('Why it has failed, for a person.', orNull(t.string)),
    failure_code: says("The ledger's own code, where there is one.", orNull(t.string)),
    metadata: metadataOf('payout'),
    environment,
    created_at: createdAt,
  },
  'Payout',
)
export type Payout = t.TypeOf<typeof Payout>

const address = says('The address (`G…`), or one among many at an exchange (`M…`).', text(100))

/** A new payout destination. */
export const NewPayoutDestination = t.type(
  {
    address,
    memo: says(
      'Goes with each payout. Accounts that belong to many need one, unless the address is `M…`.',
      optional(text(28)),
    ),
    memo_type: says('Of `memo`: `text` unless you say `id`.', optional(MemoType)),
    label: says('For you.', optional(text(100))),
  },
  'NewPayoutDestination',
)

const destination = {
  id: id('pdst_'),
  object: objectOf('payout_destination'),
  status: says('Whether payouts may name it.', oneOf('registered', 'removed')),
  address: says('The address (`G…` or `M…`).', t.string),
  ...memo,
  label: says('Your name for it.', orNull(t.string)),
  via: says('`proven` by a signature of its owner, or by `waiting` for a day.', oneOf('proven', 'waiting')),
  usable_from: says('Payouts can go there from then on.', timestamp),
  removed_at: says('When it was removed.', orNull(timestamp)),
  environment,
  created_at: createdAt,
}

/** A payout destination. */
export const PayoutDestination = t.type(destination, 'PayoutDestination')
export type PayoutDestination = t.TypeOf<typeof PayoutDestination>

/** A new destination, with a challenge whose signature makes it usable at once. */
export const NewlyRegisteredDestination = t.type(
  {
    ...destination,
    challenge: says(
      'A SEP-10 challenge that its owner signs and never sends, good for 15 minutes; null for an `M…`, whose owner cannot.',
      orNull(WalletChallenge),
    ),
  },
  'NewlyRegisteredDestination',
)

/** That a payout destination was deleted. */
export const DeletedPayoutDestination = t.type(
  { id: id('pdst_'), object: objectOf('payout_destination'), deleted: isDeleted },
  'DeletedPayoutDestination',
)

export const Weekday = oneOf('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')

const schedule = {
  asset_id: wantedAsset,
  interval: says(
    '`daily` or `weekly` at 00:00 UTC; or `threshold`: at a full hour, once so much is available.',
    oneOf('daily', 'weekly', 'threshold'),
  ),
}

/** A new payout schedule. */
export const NewPayoutSchedule = t.type(
  {
    ...schedule,
    weekly_anchor: says('The day of a `weekly` one: `monday` unless you say another.', optional(Weekday)),
    threshold: says('From how much on a `threshold` one pays, beyond the reserve.', optional(amount)),
    reserve: says('How much stays for refunds.', optional(amount)),
    destination: says('A registered destination, by its id.', id('pdst_')),
  },
  'NewPayoutSchedule',
)

/** A payout schedule, which pays out everything beyond the reserve. */
export const PayoutSchedule = t.type(
  {
    object: objectOf('payout_schedule'),
    ...schedule,
    weekly_anchor: says('The day of a `weekly` one.', orNull(Weekday)),
    threshold: says('From how much on a `threshold` one pays, beyond the reserve.', orNull(decimal)),
    reserve: says('How much stays for refunds.', decimal),
    destination: says('Where it pays to.', id('pdst_')),
    next_payout_at: says('When it pays next, if there is enough.', timestamp),
    environment,
    updated_at: says('When it was last changed.', timestamp),
  },
  'PayoutSchedule',
)
export type PayoutSchedule = t.TypeOf<typeof PayoutSchedule>

/** That a payout schedule was deleted. */
export const DeletedPayoutSchedule = t.type(
  { object: objectOf('payout_schedule'), asset_id: assetId, deleted: isDeleted },
  'DeletedPayoutSchedule',
)

/** A settlement account's balance of an asset, in units of it. */
export const Balance = t.type(
  {
    object: objectOf('balance'),
    asset_id: assetId,
    code: says("The asset's code.", t.string),
    ledger: says('What the account holds on the ledger.', decimal),
    available: says(
      'What can be paid out: without the reserve of the account, fees and offers, what is held, and what is in flight.',
      decimal,
    ),
    held: says('For refunds and returns that are under way.', decimal),
    in_flight: says('Claimed by payouts that have not ended.', decimal),
    platform_fees: says('Owed to the operator, and not on its way.', decimal),
    environment,
  },
  'Balance',
)
export type Balance = t.TypeOf<typeof Balance>
