import type { Section } from './words.ts'

export const products: Section = {
  tag: 'Products',
  description: 'What is sold, and for how much: once, by subscription, or as credits for metered usage.',
  aliases: { '/products': '/product' },
  operations: {
    'POST /product': {
      name: 'createProduct',
      description:
        'A subscription needs a `recurring_period`. The price is stated in a currency, and settles in an asset.',
      examples: {
        oneTime: { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 },
        subscription: {
          name: 'A magazine',
          type: 'subscription',
          currency_code: 'USD',
          price_amount: 5,
          recurring_period: 'month',
          trial_days: 14,
        },
        metered: {
          name: 'Calls',
          type: 'metered',
          currency_code: 'USD',
          price_amount: 1,
          unit: 'call',
          units_per_credit: 10,
          total_credits: 100,
        },
      },
    },
    'GET /product': { name: 'listProducts', description: 'The newest product comes first, archived ones included.' },
    'GET /product/:id': { name: 'getProduct', description: 'Also of an archived product.' },
    'GET /product/:id/history': { name: 'listProductHistory', description: 'Tells also of its price changes.' },
    'PUT /product/:id': {
      name: 'updateProduct',
      description: 'Subscriptions keep their price: announce a price change to move them. What you leave out stays.',
      examples: { newPrice: { description: 'The second edition', price_amount: 15 }, archive: { status: 'archived' } },
    },
    'DELETE /product/:id': {
      name: 'archiveProduct',
      description: 'Nothing that was sold is lost: subscriptions go on, and access stays.',
    },
  },
}
