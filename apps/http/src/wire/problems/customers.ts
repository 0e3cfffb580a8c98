import { busy, defect, gone, type Problems } from './problem.ts'

export const customerProblems = {
  CustomerNotFound: (_, { customer }) => gone('customer', customer),
  CustomerIsDeleted: (_, { customer }) => gone('customer', customer),
  CustomerIsAbandoned: () => busy,
  CustomerAlreadyExists: () => busy,
  EmailTaken: ({ customerId }) => [
    409,
    'email_taken',
    `A customer has this email already: ${customerId}`,
    'email',
    'customers',
  ],
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
  InsufficientCredits: ({ left }) => [
    409,
    'insufficient_credits',
    `The customer has ${left} units left`,
    'units',
    'customers',
  ],
  CreditTransactionNotFound: () => gone('credit transaction'),
  GrantNotFound: () => defect,
  CreditsAreSpent: () => defect,
} satisfies Partial<Problems>
