import { busy, defect, gone, type Problems } from './problem.ts'

/** What goes wrong with subscriptions. */
export const subscriptionProblems = {
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
} satisfies Partial<Problems>
