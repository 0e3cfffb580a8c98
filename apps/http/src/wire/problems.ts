import type { BillingFailure } from '@quittance/billing'
import type { ErrorCode, errorStatuses } from '@quittance/client/wire'
import { decimalFromStroops, eventSelectors } from '@quittance/domain'
import { HttpError } from './errors.ts'

type Tag = BillingFailure['_tag']
type Of<T extends Tag> = Extract<BillingFailure, { readonly _tag: T }>
/** A code with the one status that it has. */
type Problem = {
  readonly [Code in ErrorCode]: readonly [
    (typeof errorStatuses)[Code],
    Code,
    message: string,
    param?: string | undefined,
  ]
}[ErrorCode]
type Problems = { readonly [T in Tag]: (failure: Of<T>, fields: Fields) => Problem }

/** How a request spells what a failure may be about. What it names otherwise, such as in its path, has no `param`. */
export type Fields = {
  readonly [Subject in
    | 'amount'
    | 'amountCents'
    | 'asset'
    | 'product'
    | 'customer'
    | 'checkout'
    | 'payment'
    | 'destination'
    | 'trial']?: string
}

const gone = (what: string, param?: string): Problem => [404, 'not_found', `No such ${what}`, param]
/** What belongs to another merchant or environment is answered as what nobody has. */
const foreign = (stream: string, { product, customer }: Fields): Problem => {
  const category = stream.slice(0, stream.indexOf('-'))
  const params: Readonly<Record<string, string | undefined>> = { product, customer }
  return gone(category, params[category])
}

const busy: Problem = [409, 'conflict', 'Somebody else is changing this: try again']
const storeDown: Problem = [503, 'store_unavailable', 'The store cannot answer: try again later']
const ledgerDown: Problem = [503, 'ledger_unavailable', 'The ledger cannot be reached: try again later']
const defect: Problem = [500, 'internal_error', 'Something went wrong on our side']
const closed = (message: string): Problem => [409, 'checkout_not_open', message]
const notRelayed = (message: string): Problem => [400, 'transaction_refused', message]

/** Why nothing can be paid out to an account. */
const unfit = (reason: Of<'DestinationUnfit'>['reason'], param: string | undefined): Problem => {
  switch (reason) {
    case 'not_found':
      return [409, 'destination_not_found', 'The receiving account does not exist on the ledger', param]
    case 'no_trustline':
      return [409, 'destination_no_trustline', 'The receiving account does not trust the asset', param]
    case 'not_authorized':
      return [409, 'destination_not_authorized', 'The receiving account may not hold the asset', param]
    case 'full':
      return [409, 'destination_full', 'The receiving account has no room for the amount', param]
    case 'requires_memo':
      return [409, 'destination_requires_memo', 'The receiving account takes nothing without a memo of its own', param]
    case 'is_omnibus':
      return [409, 'destination_is_omnibus', 'The receiving account belongs to many, told apart by memos', param]
    case 'is_own':
      return [409, 'destination_is_own', 'The receiving account is the one that pays', param]
  }
}

/** Why a wallet is offered no mandate. */
const mandateUnfit = (because: Of<'MandateUnfit'>['because']): Problem => {
  switch (because) {
    case 'balance_too_low':
      return [
        409,
        'wallet_balance_too_low',
        'The wallet has too little of the asset for the first payment',
        'source_account',
      ]
    case 'no_trustline':
      return [409, 'wallet_trustline_missing', 'The wallet does not trust the asset', 'source_account']
    case 'frozen':
      return [409, 'wallet_frozen', 'The issuer of the asset does not let this wallet move it', 'source_account']
    case 'exists':
      return [
        409,
        'mandate_exists',
        'This wallet has signed another mandate for this checkout, which does not count: use another wallet or a new checkout',
        'source_account',
      ]
    case 'network_busy':
      return [503, 'network_busy', 'The network cannot take the mandate now: try again in a few seconds']
    case 'refused':
      return [409, 'mandate_refused', 'The mandate contract would not take this wallet’s mandate', 'source_account']
  }
}

/** What each failure is on the wire. One that is new does not compile until it has its place here. */
const problems: Problems = {
  // The store
  ForeignStream: ({ stream }, fields) => foreign(stream, fields),
  TooManyConflicts: () => busy,
  ClaimLost: () => [409, 'idempotency_key_in_use', 'A request with this idempotency key is being worked on'],
  StoreUnavailable: () => storeDown,
  SignerUnavailable: () => storeDown,
  OutcomeUnknown: () => [503, 'outcome_unknown', 'Nobody knows yet whether this was done: repeat the same request'],
  // Merchants and assets
  MerchantNotReady: ({ environment }) => [409, 'merchant_not_ready', `Nothing can be sold on the ${environment} yet`],
  NetworkNotConfigured: ({ environment }) => [503, 'network_not_configured', `The ${environment} is not configured`],
  AssetNotAccepted: (_, { asset }) => [400, 'unsupported_asset', 'Not a currency or an asset that you accept', asset],
  // Amounts
  AmountMissing: (_, { amount }) => [400, 'amount_missing', 'An amount is required', amount],
  AmountsDisagree: (_, { amountCents }) => [
    400,
    'amounts_disagree',
    'The two spellings of the amount are not equal',
    amountCents,
  ],
  MalformedNumber: ({ field }, fields) => [
    400,
    'malformed_amount',
    'The amount is not a decimal number',
    fields[field],
  ],
  NotPositive: ({ field }, fields) => [400, 'amount_not_positive', 'The amount must be above zero', fields[field]],
  NotWholeUnits: ({ field }, fields) => [400, 'amount_not_whole', 'This currency has no decimals', fields[field]],
  TooManyDecimals: ({ field, decimals }, fields) => [
    400,
    'too_many_decimals',
    `At most ${decimals} decimals`,
    fields[field],
  ],
  RoundsToZero: ({ field }, fields) => [400, 'amount_rounds_to_zero', 'The amount is 0 after rounding', fields[field]],
  TooLarge: ({ field }, fields) => [400, 'amount_too_large', 'The amount is too large', fields[field]],
  AmountTooLarge: () => [400, 'amount_too_large', 'No account could hold this amount of the asset'],
  AmountNotPositive: () => defect,
  // Metadata
  MetadataNotAnObject: () => [400, 'invalid_metadata', 'Metadata must be an object', 'metadata'],
  MetadataTooManyKeys: ({ maximum }) => [400, 'invalid_metadata', `At most ${maximum} keys`, 'metadata'],
  MetadataKeyTooLong: ({ maximum }) => [400, 'invalid_metadata', `Keys have at most ${maximum} characters`, 'metadata'],
  MetadataTooLarge: ({ maximumBytes }) => [
    400,
    'invalid_metadata',
    `At most ${maximumBytes} bytes of JSON`,
    'metadata',
  ],
  MetadataTooDeep: ({ maximum }) => [400, 'invalid_metadata', `At most ${maximum} levels`, 'metadata'],
  MetadataValueNotText: () => [400, 'invalid_metadata', 'Every value must be a string', 'metadata'],
  // Products
  ProductNotFound: (_, { product }) => gone('product', product),
  ProductAlreadyExists: () => busy,
  ProductArchived: (_, { product }) => [409, 'product_archived', 'The product is archived', product],
  MandatesNotConfigured: (_, { product }) => [
    409,
    'subscriptions_not_available',
    'Subscriptions cannot be sold in this environment: it has no mandate contract, or no operator account',
    product,
  ],
  RecurringPeriodMissing: () => [400, 'recurring_period_missing', 'A subscription needs a period', 'recurring_period'],
  RecurringPeriodNotAllowed: () => [
    400,
    'recurring_period_not_allowed',
    'Only a subscription has a period',
    'recurring_period',
  ],
  TrialNotAllowed: (_, { trial }) => [400, 'trial_not_allowed', 'Only a subscription has a trial', trial],
  TrialTooLong: ({ maximumDays }, { trial }) => [400, 'trial_too_long', `At most ${maximumDays} days`, trial],
  CurrencyIsFixed: ({ currency }) => [
    400,
    'invalid_request',
    `The product is priced in ${currency}: make another one for another currency`,
    'currency_code',
  ],
  PriceNotPositive: (_, { amount }) => [400, 'amount_not_positive', 'The price must be above zero', amount],
  // Customers
  CustomerNotFound: (_, { customer }) => gone('customer', customer),
  CustomerIsDeleted: (_, { customer }) => gone('customer', customer),
  CustomerIsAbandoned: () => busy,
  CustomerAlreadyExists: () => busy,
  EmailTaken: ({ customerId }) => [409, 'email_taken', `A customer has this email already: ${customerId}`, 'email'],
  EmailRepeated: () => [400, 'email_repeated', 'Two customers of the batch have the same email', 'email'],
  EmailClaimOutdated: () => busy,
  EmailStillHeld: () => defect,
  WalletIdTaken: () => busy,
  WalletNotFound: () => gone('wallet'),
  NoSuchWallet: () => gone('wallet'),
  ChallengeInvalid: () => [
    400,
    'challenge_invalid',
    'Not a challenge that this customer was given, or one that is too old: ask for a new one',
    'transaction',
  ],
  ChallengeSpent: () => [409, 'challenge_spent', 'The challenge was used before: ask for a new one', 'transaction'],
  SignaturesInsufficient: () => [
    400,
    'challenge_not_signed',
    'The transaction is not signed by those who may spend from the account',
    'transaction',
  ],
  // Credits
  InsufficientCredits: ({ left }) => [409, 'insufficient_credits', `The customer has ${left} units left`, 'units'],
  CreditTransactionNotFound: () => gone('credit transaction'),
  GrantNotFound: () => defect,
  CreditsAreSpent: () => defect,
  // Subscriptions
  SubscriptionNotFound: () => gone('subscription'),
  SubscriptionAlreadyExists: () => defect,
  StartMismatch: () => defect,
  SubscriptionIsCanceled: ({ canceledAt }) => [
    409,
    'subscription_canceled',
    `The subscription was canceled at ${new Date(canceledAt).toISOString()}`,
  ],
  StatusForbids: ({ status }) => [409, 'subscription_status', `That cannot be while the subscription is ${status}`],
  NotDue: () => defect,
  AttemptUnderWay: () => busy,
  AttemptNotFound: () => defect,
  OtherChargeDue: () => defect,
  OtherPriceCounts: () => defect,
  AttemptsAreStopped: () => defect,
  ChargeHasSucceeded: () => defect,
  InvoiceNotFound: () => defect,
  NotPaused: ({ status }) => [409, 'subscription_not_paused', `The subscription is ${status}`],
  CancellationIsDue: ({ endsAt }) => [
    409,
    'cancellation_due',
    `The subscription ended at ${new Date(endsAt).toISOString()}, as it was to`,
  ],
  CancellationNotScheduled: () => defect,
  AuthorizationWasRevoked: () => [
    409,
    'authorization_revoked',
    'The customer has ended the mandate on the ledger: they have to sign a new one first (authorization.update_url)',
  ],
  AuthorizationNotNeeded: () => defect,
  AuthorizationNotRequested: () => defect,
  MandateMismatch: () => defect,
  MandateUnknown: () => defect,
  AssetMismatch: ({ expected }, { product }) => [
    400,
    'asset_mismatch',
    `The product must settle in ${expected}, as the subscription does`,
    product,
  ],
  CurrencyMismatch: ({ expected }, { product }) => [
    400,
    'currency_mismatch',
    `The product must be priced in ${expected}, as the subscription is`,
    product,
  ],
  NotASubscriptionProduct: (_, { product }) => [
    400,
    'not_a_subscription_product',
    'Only a product that recurs can be subscribed to',
    product,
  ],
  // Exceptions
  EventNotFound: () => gone('event'),
  ExceptionNotFound: () => gone('exception'),
  // Webhooks
  WebhookNotFound: () => gone('webhook'),
  DeliveryNotFound: () => gone('delivery'),
  WebhookAlreadyExists: () => busy,
  WebhookUrlNotHttps: () => [
    400,
    'invalid_request',
    '"url" must be an https address; in the sandbox, http to 127.0.0.1 will do',
    'url',
  ],
  WebhookUrlHasCredentials: () => [400, 'invalid_request', '"url" must not hold a user or a password', 'url'],
  WebhookEventsEmpty: () => [400, 'invalid_request', '"events" must hold at least one type of event', 'events'],
  WebhookEventUnknown: () => [
    400,
    'invalid_request',
    `"events" may hold ${[...eventSelectors].join(', ')}, and nothing else`,
    'events',
  ],
  // Checkouts
  CheckoutNotFound: (_, { checkout }) => gone('checkout', checkout),
  CheckoutAlreadyExists: () => busy,
  ProductMismatch: () => defect,
  QuoteNotPositive: () => defect,
  DeadlinePassed: () => closed('The checkout has expired'),
  DeadlineNotReached: () => defect,
  CheckoutIsExpired: () => closed('The checkout has expired'),
  CheckoutIsFailed: () => closed('The checkout has failed'),
  CompletionUnderWay: () => closed('The checkout is paid'),
  CheckoutIsCompleted: () => closed('The checkout is completed'),
  CheckoutNotOpen: ({ status }) => closed(`The checkout is ${status}`),
  CheckoutNotSettled: () => defect,
  NotASubscription: () => defect,
  CustomerNeeded: () => [
    409,
    'customer_needed',
    'A subscription belongs to a customer: say who you are first (POST /pay/{id}/customer)',
  ],
  MandateNotOffered: () => notRelayed('The transaction is no mandate that was offered for this checkout'),
  OtherPayment: () => defect,
  CustomerAlreadyAttached: () => [409, 'customer_already_attached', 'The checkout has a customer already'],
  PaymentAlreadyBegun: () => [409, 'payment_already_begun', 'A payment has begun already'],
  PaymentIdSpent: () => busy,
  QuoteNeeded: () => defect,
  TransactionInFlight: () => [409, 'transaction_in_flight', 'A transaction is on its way'],
  TransactionUnknown: () => defect,
  TransactionHasCredit: () => defect,
  RateUnavailable: () => [
    503,
    'rate_unavailable',
    'There is no exchange rate to be trusted right now: try again later',
  ],
  // Payments
  PaymentNotFound: (_, { payment }) => gone('payment', payment),
  PaymentNotConfirmed: ({ status }, { payment }) => [409, 'payment_not_confirmed', `The payment is ${status}`, payment],
  // Refunds
  RefundNotFound: () => gone('refund'),
  RefundExists: ({ refundId }, { payment }) => [
    409,
    'refund_exists',
    `The payment has a refund that is under way, or has succeeded: ${refundId}`,
    payment,
  ],
  PaymentSetAside: (_, { payment }) => [
    409,
    'payment_set_aside',
    'The payment counts for nothing in its subscription: it goes back by itself',
    payment,
  ],
  CreditsSpent: (_, { payment }) => [
    409,
    'credits_spent',
    'Some of the credits that the payment has granted are consumed',
    payment,
  ],
  DestinationUnfit: ({ reason }, { destination }) => unfit(reason, destination),
  // Exceptions
  ExceptionIsResolved: ({ action }) => [409, 'exception_resolved', `It is resolved already: ${action}`],
  ReturnUnderWay: () => [409, 'exception_being_resolved', 'It is on its way back'],
  ApplicationUnderWay: ({ checkoutId }) => [409, 'exception_being_resolved', `It is being applied to ${checkoutId}`],
  NotApplicable: ({ kind }) => [
    409,
    'exception_not_applicable',
    `Money of the kind ${kind} cannot count for a checkout`,
  ],
  NotReturnable: ({ kind }) => [409, 'exception_not_returnable', `Nothing of the kind ${kind} can go back`],
  SenderUnknown: (_, { destination }) => [
    409,
    'sender_unknown',
    'Nobody can say which account it may go back to: name one',
    destination,
  ],
  InsufficientFunds: () => [
    409,
    'insufficient_funds',
    'The settlement account does not hold the amount, or would lose its reserve',
  ],
  CreditDoesNotFit: ({ reason }, { checkout }) => [
    409,
    'credit_does_not_fit',
    `The checkout cannot take this money: ${reason}`,
    checkout,
  ],
  MemoTooLong: () => defect,
  SourceAccountNotFound: () => [
    409,
    'source_account_not_found',
    'The account does not exist on the ledger',
    'source_account',
  ],
  NoPath: () => [409, 'no_path', 'No market leads from this asset to the one asked for right now', 'send_asset'],
  PathTooExpensive: ({ sendAmount, highest }) => [
    409,
    'path_too_expensive',
    `Paying with this asset would take ${decimalFromStroops(sendAmount)} of it now, above ${decimalFromStroops(highest)}: try again later, or pay with another asset`,
    'send_asset',
  ],
  SendMaxRequired: ({ sendAmount }) => [
    409,
    'send_max_required',
    `No exchange rate says what this asset is worth, and it would take ${decimalFromStroops(sendAmount)} of it now: say in send_max how much may be sent at most`,
    'send_max',
  ],
  SendAssetNotHeld: () => [
    409,
    'send_asset_not_held',
    'The account does not hold this asset, or may not part with it',
    'send_asset',
  ],
  SendAssetTooLittle: ({ balance, needed }) => [
    409,
    'send_asset_too_little',
    `It would take ${decimalFromStroops(needed)} of this asset, and the account has ${decimalFromStroops(balance)}`,
    'send_asset',
  ],
  PathsUnavailable: () => [
    503,
    'paths_unavailable',
    'Nobody can say now what other assets would cost: try again later',
  ],
  PathsNotConfigured: () => [
    503,
    'paths_not_configured',
    'Only the asset asked for can be paid with here',
    'send_asset',
  ],
  MandateUnfit: ({ because }) => mandateUnfit(because),
  MalformedEnvelope: () => [
    400,
    'malformed_transaction',
    'Not a transaction envelope in base64 XDR',
    'transaction_xdr',
  ],
  NotAPaymentForThisCheckout: () =>
    notRelayed('The transaction does not pay this checkout: check destination, memo and asset'),
  TimeBoundsUnfit: ({ longestSeconds }) => notRelayed(`The transaction must end within ${longestSeconds} seconds`),
  // What the network says of a submission
  LedgerUnreachable: () => ledgerDown,
  TryAgainLater: () => [503, 'network_busy', 'The network asks to send the same transaction again in a few seconds'],
  BadSequence: () => [409, 'bad_sequence', 'The account has used this sequence number: build the transaction anew'],
  Expired: () => [409, 'transaction_expired', 'The time bounds have ended: build the transaction anew'],
  FeeTooLow: () => [409, 'fee_too_low', 'The network asks for a higher fee'],
  FeeSourceCannotPay: () => [409, 'fee_source_cannot_pay', 'The account cannot pay the fee'],
  SimulateAgain: () => notRelayed('The network will not take this transaction'),
  Refused: ({ code }) => notRelayed(`The network refuses the transaction: ${code}`),
}

export const problemOf = <T extends Tag>(failure: Of<T>, fields: Fields): HttpError => {
  const describe: (failure: Of<T>, fields: Fields) => Problem = problems[failure._tag]
  const [status, code, message, param] = describe(failure, fields)
  return new HttpError(status, code, message, param === undefined ? {} : { param })
}
