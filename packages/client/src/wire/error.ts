import * as t from 'io-ts'
import { says, unchanged } from './codecs.ts'
import { oneOf } from './values.ts'

/** Every code of an answer that is not a success, with its status. Codes are for programs, and never change. */
export const errorStatuses = {
  // What is wrong with the request itself
  invalid_request: 400,
  malformed_json: 400,
  malformed_request: 400,
  invalid_idempotency_key: 400,
  invalid_metadata: 400,
  amount_missing: 400,
  amounts_disagree: 400,
  malformed_amount: 400,
  amount_not_positive: 400,
  amount_not_whole: 400,
  too_many_decimals: 400,
  amount_rounds_to_zero: 400,
  amount_too_large: 400,
  unsupported_asset: 400,
  recurring_period_missing: 400,
  recurring_period_not_allowed: 400,
  trial_not_allowed: 400,
  trial_too_long: 400,
  email_repeated: 400,
  malformed_transaction: 400,
  transaction_refused: 400,
  challenge_invalid: 400,
  challenge_not_signed: 400,
  target_in_the_past: 400,
  two_credentials: 400,
  unauthorized: 401,
  invalid_api_key: 401,
  invalid_app_token: 401,
  scope_missing: 403,
  not_found: 404,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  // What the state of things forbids
  conflict: 409,
  idempotency_key_in_use: 409,
  request_in_progress: 409,
  merchant_not_ready: 409,
  product_archived: 409,
  subscriptions_not_available: 409,
  email_taken: 409,
  challenge_spent: 409,
  insufficient_credits: 409,
  payment_not_confirmed: 409,
  refund_exists: 409,
  credits_spent: 409,
  destination_not_found: 409,
  destination_no_trustline: 409,
  destination_not_authorized: 409,
  destination_full: 409,
  destination_requires_memo: 409,
  destination_is_omnibus: 409,
  destination_is_own: 409,
  checkout_not_open: 409,
  customer_already_attached: 409,
  payment_already_begun: 409,
  transaction_in_flight: 409,
  source_account_not_found: 409,
  no_path: 409,
  path_too_expensive: 409,
  send_max_required: 409,
  send_asset_not_held: 409,
  send_asset_too_little: 409,
  bad_sequence: 409,
  transaction_expired: 409,
  fee_too_low: 409,
  fee_source_cannot_pay: 409,
  // What we, or what we stand on, cannot do now
  internal_error: 500,
  store_unavailable: 503,
  outcome_unknown: 503,
  ledger_unavailable: 503,
  network_busy: 503,
  network_not_configured: 503,
  rate_unavailable: 503,
  paths_unavailable: 503,
  paths_not_configured: 503,
} as const

export type ErrorCode = keyof typeof errorStatuses

const isCode = (name: string): name is ErrorCode => Object.hasOwn(errorStatuses, name)
const code = oneOf(...Object.keys(errorStatuses).filter(isCode))

/** Every answer that is not a success. */
export const ApiError = t.type(
  {
    error: says('What went wrong, for a person.', t.string),
    code: says('What went wrong, for a program.', code),
    param: says('The field of the request that it is about.', unchanged(t.string)),
    request_id: says('Also in the header `x-request-id`.', t.string),
  },
  'Error',
)
export type ApiError = t.TypeOf<typeof ApiError>
