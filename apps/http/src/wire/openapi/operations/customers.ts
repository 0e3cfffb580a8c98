import { exampleAccount, exampleId, exampleTransaction, type Section } from './words.ts'

export const customers: Section = {
  tag: 'Customers',
  description: 'Who buys. A customer is made at checkout as well, from an email or a phone number.',
  operations: {
    'POST /customers': {
      name: 'createCustomers',
      description: 'Of several, all are checked before any is written. No two customers have the same email.',
      examples: {
        one: { email: 'ada@example.com', name: 'Ada Lovelace', metadata: { crm: '1042' } },
        several: [
          { email: 'grace@example.com', name: 'Grace Hopper' },
          { email: 'alan@example.com', name: 'Alan Turing', phone: '+44 20 7946 0018' },
        ],
      },
    },
    'GET /customers': { name: 'listCustomers', description: 'The newest customer comes first.' },
    'GET /customers/:id': { name: 'getCustomer', description: 'Shows personal details and linked wallets.' },
    'GET /customers/:id/history': {
      name: 'listCustomerHistory',
      description:
        'Tells also of checkouts, subscriptions and payments, and of customers merged into this one. It holds nothing personal.',
    },
    'PUT /customers/:id': {
      name: 'updateCustomer',
      description: 'What you leave out stays; null clears.',
      examples: { rename: { name: 'Ada King', metadata: { crm: null } } },
    },
    'DELETE /customers/:id': {
      name: 'deleteCustomer',
      description: 'Subscriptions are canceled. It cannot be undone.',
    },
    'POST /customers/:id/merge': {
      name: 'mergeCustomer',
      description: 'Everything of the customer in the path belongs to `into` from then on. It cannot be undone.',
      examples: { same: { into: exampleId('cus_'), reason: 'Both have signed in by the same account' } },
    },
    'GET /customers/:id/export': {
      name: 'exportCustomer',
      description:
        'Answers what a person may ask for about themselves. A part that the app token may not read is null.',
    },
  },
}

export const access: Section = {
  tag: 'Access',
  description: 'Whether a customer is entitled to a product.',
  operations: {
    'GET /customers/:id/access/:product': {
      name: 'checkAccess',
      description: 'Answers bare, without `data`. A subscription or a purchase gives access.',
    },
  },
}

export const wallets: Section = {
  tag: 'Wallets',
  description: 'Wallets that customers have proven to be theirs (SEP-10).',
  operations: {
    'POST /customers/:id/wallets': {
      name: 'requestWalletProof',
      description: 'Answers a challenge that the owner of the wallet signs, and never sends to the network.',
      examples: { wallet: { address: exampleAccount } },
    },
    'POST /customers/:id/wallets/verify': {
      name: 'verifyWallet',
      description: 'Takes the challenge with the signature of the owner.',
      examples: { signed: { transaction: exampleTransaction } },
    },
    'DELETE /customers/:id/wallets/:wallet': {
      name: 'deleteWallet',
      description: 'A wallet that a subscription is charged to stays.',
    },
  },
}

export const credits: Section = {
  tag: 'Credits',
  description: 'Prepaid units of metered products.',
  operations: {
    'GET /customers/:id/credits/:product': {
      name: 'getCreditBalance',
      description: 'Shows whole credits, and the units that are left of a started one.',
    },
    'GET /customers/:id/credits/:product/history': {
      name: 'listCreditHistory',
      description: 'Tells of each entry in the books, and why it was made.',
    },
    'POST /customers/:id/credits/:product/consume': {
      name: 'consumeCredits',
      description: 'Takes the oldest credits first, and nothing when there are too few.',
      examples: { calls: { units: 3, metadata: { request: 'a7' } } },
    },
    'GET /customers/:id/credits/:product/transactions': {
      name: 'listCreditTransactions',
      description: 'The newest entry comes first.',
    },
  },
}
