import { busy, defect, gone, notRelayed, type Problem, type Problems } from './problem.ts'

const closed = (message: string): Problem => [409, 'checkout_not_open', message, undefined, 'checkouts']

export const checkoutProblems = {
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
  OffersExhausted: ({ until }) => [
    429,
    'too_many_requests',
    `Too many wallets have asked for this checkout's mandate: try again after ${new Date(until).toISOString()}`,
  ],
  CustomerNeeded: () => [
    409,
    'customer_needed',
    'A subscription belongs to a customer: say who you are first (POST /pay/{id}/customer)',
  ],
  MandateNotOffered: () => notRelayed('The transaction is no mandate that was offered for this checkout'),
  OtherPayment: () => defect,
  AttachingUnderWay: () => [409, 'request_in_progress', 'Somebody is naming the customer right now: try again'],
  CustomerAlreadyAttached: () => [409, 'customer_already_attached', 'The checkout has a customer already'],
  PaymentAlreadyBegun: () => [409, 'payment_already_begun', 'A payment has begun already'],
  PaymentIdSpent: () => busy,
  QuoteNeeded: () => defect,
  TransactionInFlight: () => [409, 'transaction_in_flight', 'A transaction is on its way'],
  TransactionUnknown: () => defect,
  TransactionHasCredit: () => defect,
  SalesFrozen: () => [
    503,
    'sales_frozen',
    'Payments are paused at the moment. Nothing was taken from the payer: try again later',
  ],
  RateUnavailable: () => [
    503,
    'rate_unavailable',
    'There is no exchange rate to be trusted right now: try again later',
  ],
} satisfies Partial<Problems>
