import type { Section } from './words.ts'

export const events: Section = {
  tag: 'Events',
  description: 'What has happened, as webhooks deliver it.',
  operations: {
    'GET /events': {
      name: 'listEvents',
      description: 'An app token finds the events of the resources that it may read.',
    },
    'GET /events/:id': { name: 'getEvent', description: 'The id is the `webhook-id` of its deliveries.' },
  },
}

export const webhooks: Section = {
  tag: 'Webhooks',
  description: 'Endpoints that are told of events, and the deliveries to them.',
  operations: {
    'POST /webhooks': {
      name: 'createWebhook',
      description: 'Keep the `secret` of the answer: it verifies the signature of every delivery.',
      examples: {
        payments: {
          name: 'The shop',
          url: 'https://shop.example/webhooks',
          events: ['payment.confirmed', 'subscription.*'],
        },
        everything: { name: 'The archive', url: 'https://archive.example/events', events: ['*'] },
      },
    },
    'GET /webhooks': { name: 'listWebhooks', description: 'The newest endpoint comes first.' },
    'GET /webhooks/:id': { name: 'getWebhook', description: 'Without its secret.' },
    'GET /webhooks/:id/history': {
      name: 'listWebhookHistory',
      description: 'Tells of changes to the endpoint; its deliveries are a list of their own.',
    },
    'PUT /webhooks/:id': {
      name: 'updateWebhook',
      description: 'What you leave out stays. An endpoint that is disabled gets nothing until it is enabled.',
      examples: { disable: { is_disabled: true }, allEvents: { events: ['*'] } },
    },
    'DELETE /webhooks/:id': { name: 'deleteWebhook', description: 'What was not delivered yet is not delivered.' },
    'POST /webhooks/:id/rotate_secret': {
      name: 'rotateWebhookSecret',
      description: 'Deliveries carry both signatures for these 24 hours.',
    },
    'GET /webhooks/:id/deliveries': {
      name: 'listWebhookDeliveries',
      description: 'The newest delivery comes first, with the result of its last attempt.',
    },
    'POST /webhooks/:id/deliveries/:delivery_id/redeliver': {
      name: 'redeliverWebhook',
      description: 'The same event under the same `webhook-id`.',
    },
    'POST /webhooks/:id/test': {
      name: 'testWebhook',
      description: 'Its type is `webhook.test`, and it is signed like every other.',
    },
  },
}
