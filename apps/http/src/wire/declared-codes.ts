import type { ErrorCode } from '@quittance/client/wire'

// Error codes that several routes share, for `problems`.

/** Stating a price. */
export const ofPrices = [
  'amounts_disagree',
  'malformed_amount',
  'amount_not_positive',
  'amount_not_whole',
  'too_many_decimals',
  'amount_rounds_to_zero',
  'amount_too_large',
] as const satisfies ReadonlyArray<ErrorCode>

/** Writing without an idempotency key. */
const ofWriting = ['conflict', 'outcome_unknown'] as const satisfies ReadonlyArray<ErrorCode>

/** Quoting a checkout. */
export const ofQuotes = [
  'checkout_not_open',
  'merchant_not_ready',
  'network_not_configured',
  'sales_frozen',
  'rate_unavailable',
  'amount_too_large',
  ...ofWriting,
] as const satisfies ReadonlyArray<ErrorCode>

/** Building a payment, also in another asset. */
export const ofBuilding = [
  ...ofQuotes,
  'ledger_unavailable',
  'source_account_not_found',
  'no_path',
  'path_too_expensive',
  'send_max_required',
  'send_asset_not_held',
  'send_asset_too_little',
  'paths_unavailable',
  'paths_not_configured',
  'customer_needed',
  'subscriptions_not_available',
  'wallet_balance_too_low',
  'wallet_trustline_missing',
  'wallet_trustline_not_needed',
  'wallet_frozen',
  'already_subscribed',
  'mandate_exists',
  'mandate_refused',
  'bad_sequence',
  'network_busy',
] as const satisfies ReadonlyArray<ErrorCode>

/** Relaying a signed payment. */
export const ofRelaying = [
  ...ofQuotes,
  'already_subscribed',
  'ledger_unavailable',
  'malformed_transaction',
  'transaction_refused',
  'bad_sequence',
  'transaction_expired',
  'fee_too_low',
  'fee_source_cannot_pay',
  'network_busy',
] as const satisfies ReadonlyArray<ErrorCode>

/** Attaching a customer to a checkout. */
export const ofAttaching = [
  'checkout_not_open',
  'customer_already_attached',
  'request_in_progress',
  'payment_already_begun',
  ...ofWriting,
] as const satisfies ReadonlyArray<ErrorCode>

/** Asking the ledger about a settlement account. */
export const ofLedger = [
  'merchant_not_ready',
  'network_not_configured',
  'ledger_unavailable',
] as const satisfies ReadonlyArray<ErrorCode>

/** Paying to an account. */
export const ofDestinations = [
  'destination_not_found',
  'destination_no_trustline',
  'destination_not_authorized',
  'destination_full',
  'destination_requires_memo',
  'destination_is_omnibus',
  'destination_is_own',
] as const satisfies ReadonlyArray<ErrorCode>

/** Verifying a signed challenge. */
export const ofProofs = [
  'challenge_invalid',
  'challenge_not_signed',
  'challenge_spent',
] as const satisfies ReadonlyArray<ErrorCode>
