import { exampleId, type Section } from './words.ts'

export const subscriptions: Section = {
  tag: 'Subscriptions',
  description: 'What customers have subscribed to. A completed checkout of a subscription product makes one.',
  operations: {
    'GET /subscriptions': { name: 'listSubscriptions', description: 'The newest subscription comes first.' },
    'GET /subscriptions/:id': {
      name: 'getSubscription',
      description: 'Reads the ledger before it answers, so that `authorization` is true now.',
    },
    'GET /subscriptions/:id/history': {
      name: 'listSubscriptionHistory',
      description: 'Each fact is chained to those before it by its hash.',
    },
    'GET /subscriptions/:id/timeline': {
      name: 'listSubscriptionTimeline',
      description: 'Tells also of its checkout, payments, invoices, refunds and price changes, each with its cause.',
    },
    'PUT /subscriptions/:id': {
      name: 'updateSubscription',
      description: 'What you leave out stays. Another product counts from the next renewal on.',
      examples: { endsWithItsPeriod: { cancel_at_period_end: true, metadata: { reason: 'asked by phone' } } },
    },
    'POST /subscriptions/:id/cancel': {
      name: 'cancelSubscription',
      description: 'Without a body it ends with its period.',
      examples: { now: { at: 'now' } },
    },
    'POST /subscriptions/:id/pause': {
      name: 'pauseSubscription',
      description: 'Access stays until the end of what is paid for.',
    },
    'POST /subscriptions/:id/resume': {
      name: 'resumeSubscription',
      description: 'Renewals go on from then.',
    },
    'POST /subscriptions/:id/change_wallet': {
      name: 'changeSubscriptionWallet',
      description: 'Send the customer to `authorization.update_url` of the answer.',
    },
  },
}

export const priceChanges: Section = {
  tag: 'Price changes',
  description: 'New prices for subscribers, announced at least 30 days before they count.',
  operations: {
    'POST /price_changes': {
      name: 'createPriceChange',
      description: 'Subscribers whose mandate covers the new price need not sign; the others are asked to.',
      examples: {
        dearer: { product_id: exampleId('prod_'), price_amount: 6, effective_at: '2099-01-01T00:00:00Z' },
      },
    },
    'GET /price_changes': { name: 'listPriceChanges', description: 'The newest price change comes first.' },
    'GET /price_changes/:id': {
      name: 'getPriceChange',
      description: '`progress` says how many subscriptions have changed, wait, or keep their price.',
    },
    'GET /price_changes/:id/history': {
      name: 'listPriceChangeHistory',
      description: 'Tells when it was scheduled, noticed and canceled.',
    },
    'GET /price_changes/:id/subscriptions': {
      name: 'listPriceChangeSubscriptions',
      description: 'The newest subscription comes first.',
    },
    'POST /price_changes/:id/cancel': {
      name: 'cancelPriceChange',
      description: 'Subscriptions that have changed already keep the new price.',
    },
  },
}
