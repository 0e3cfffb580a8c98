import * as t from 'io-ts'
import { Asset } from './asset.ts'
import { optional, orNull, says, unchanged, withDefault } from './codecs.ts'
import { assetAmount, assetId, checkoutId, createdAt, environment, metadataOf, objectOf, updatedAt } from './fields.ts'
import { Payment } from './payment.ts'
import { Product } from './product.ts'
import { count, id, metadata, oneOf, text, timestamp } from './values.ts'

/** Where a subscription stands. */
export const SubscriptionStatus = oneOf('trialing', 'active', 'past_due', 'overdue', 'paused', 'canceled')

const Authorization = t.type(
  {
    status: says(
      '`insufficient`: the next charge would not go through; `revoked`: the customer has ended it on the ledger.',
      oneOf('active', 'insufficient', 'expiring', 'expired', 'revoked'),
    ),
    contract_id: says('The mandate contract.', t.string),
    mandate_id: says('The mandate in it, in hex.', t.string),
    cap: says('The most that one period may cost.', assetAmount),
    expires_at: says('When the approval is expected to run out.', timestamp),
    update_url: says('Where the customer signs a new one, while one is wanted.', orNull(t.string)),
    update_reason: says(
      'Why it is wanted. `migration`: subscribers move to another contract; charges go on meanwhile.',
      orNull(
        oneOf(
          'charge_failed',
          'foreseen',
          'revoked',
          'swap_above_cap',
          'swap_of_interval',
          'expiring',
          'wallet_change',
          'migration',
          'price_change',
        ),
      ),
    ),
  },
  'SubscriptionAuthorization',
)

const PendingUpdate = t.type(
  {
    product_id: says('What will be subscribed to.', id('prod_')),
    price_amount_cents: says('What a period will cost × 100, whatever the currency.', t.number),
    currency_code: says('The currency of the price, by ISO 4217.', t.string),
  },
  'PendingUpdate',
)

const PendingPriceChange = t.type(
  {
    id: id('prc_'),
    price_amount_cents: says('What a period will cost × 100, whatever the currency.', t.number),
    currency_code: says('The currency of the price, by ISO 4217.', t.string),
    asset_id: assetId,
    effective_at: says('It counts for periods that begin then or later.', timestamp),
    needs_consent: says('Whether the customer has to sign a new mandate for it.', t.boolean),
    accepted_at: says('When they have signed.', orNull(timestamp)),
    without_consent: says('What becomes of it if they do not sign.', oneOf('keep', 'cancel')),
  },
  'PendingPriceChange',
)

const subscription = {
  id: id('sub_'),
  object: objectOf('subscription'),
  customer_id: says('The customer who has subscribed.', id('cus_')),
  product_id: says('What is subscribed to now.', id('prod_')),
  checkout_id: checkoutId,
  status: says('How it stands; `access_ends_at` says whether it gives access.', SubscriptionStatus),
  current_period_start: says('When the present period has begun.', timestamp),
  current_period_end: says('When the next period begins, and is charged.', timestamp),
  cancel_at_period_end: says('Whether it ends with the period instead of renewing.', t.boolean),
  canceled_at: says('When it ended.', orNull(timestamp)),
  cancellation_reason: says(
    'Why it has ended, or will.',
    orNull(oneOf('requested', 'unpaid', 'revoked', 'customer_deleted', 'price_change', 'network_reset')),
  ),
  paused_at: says('When it was paused; null unless it is.', orNull(timestamp)),
  trial_days: says('Days of trial that it began with.', count),
  failed_payment_count: says('Charges that failed one after the other.', count),
  price_amount_cents: says('What a period costs × 100, whatever the currency.', t.number),
  currency_code: says('The currency of the price, by ISO 4217.', t.string),
  asset_id: assetId,
  next_renewal_at: says(
    'When the next charge is to be made, also while it is resumed by one; null when none is. A retry comes up to 30 minutes later.',
    orNull(timestamp),
  ),
  invoice_url: says('Where what is owed can be paid by hand, once it is overdue.', orNull(t.string)),
  grace_until: says('Until when access goes on although something is owed.', orNull(timestamp)),
  access_ends_at: says(
    'When the access that it gives ends by itself, unless a payment or a decision comes first; null while it gives none. It gives none after this time, whatever its status is.',
    orNull(timestamp),
  ),
  unsettled_cause: says(
    'Why no attempt could settle its charge for 7 days, where the merchant’s `rates_after` has invoiced or paused it for that.',
    orNull(oneOf('no_rate', 'peg_broken', 'charge_failed')),
  ),
  authorization: says('What the customer has signed on the ledger.', Authorization),
  pending_update: says('A product that waits for a new mandate.', orNull(PendingUpdate)),
  pending_price_change: says(
    'A new price that it was told of, until it counts or is refused.',
    orNull(PendingPriceChange),
  ),
  metadata: metadataOf('subscription'),
  environment,
  created_at: createdAt,
  updated_at: updatedAt,
}

/** A subscription of a customer. */
export const Subscription = t.type(subscription, 'Subscription')
export type Subscription = t.TypeOf<typeof Subscription>

/** A subscription with related resources. */
export const SubscriptionDetail = t.type(
  {
    ...subscription,
    related_resources: says(
      'What it refers to.',
      t.type(
        {
          product: says('What is subscribed to; null for an app token that may not read products.', orNull(Product)),
          asset: says('The asset that is collected.', Asset),
        },
        'SubscriptionResources',
      ),
    ),
    last_attempt: says(
      'The newest payment: the first one, the last charge, also one that failed, or what has paid an invoice.',
      orNull(Payment),
    ),
  },
  'SubscriptionDetail',
)
export type SubscriptionDetail = t.TypeOf<typeof SubscriptionDetail>

/** Changes to a subscription. Missing fields stay. */
export const ChangedSubscription = t.type(
  {
    cancel_at_period_end: says('False undoes a cancellation that is scheduled.', optional(t.boolean)),
    product_id: says('Another product, from the next renewal on.', optional(text(100))),
    metadata: says('Laid over what there is; null removes a key.', unchanged(metadata)),
  },
  'ChangedSubscription',
)

/** When a cancellation takes effect. */
export const Cancellation = withDefault(
  t.type({ at: says('`period_end` unless you say `now`.', optional(oneOf('period_end', 'now'))) }, 'Cancellation'),
  {
    at: null,
  },
)

/** A stored event of a subscription, chained by its hash to earlier ones. */
export const SubscriptionFact = t.type(
  {
    id: says('Its place in the log.', t.string),
    revision: says('Its place in the history, from 0.', count),
    type: says('What happened.', t.string),
    occurred_at: says('When it happened.', timestamp),
    actor: says('Who did it: a key, the customer in the portal, or the service itself.', t.string),
    data: says('The facts of it.', t.unknown),
    hash: says('SHA-256 over it and the hash before it.', t.string),
  },
  'SubscriptionFact',
)
