import { asText, HttpUrl } from '../shared/text.ts'
import { hourMs, unixMs } from '../shared/units.ts'
import { decoded, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Webhook, type WebhookCommand, type WebhookDetails, type WebhookEvent } from './index.ts'

const { given } = scenario(Webhook.decider)
const urlOf = (text: string): HttpUrl => decoded(HttpUrl, text)

const details: WebhookDetails = {
  name: asText('Orders'),
  url: urlOf('https://shop.example/hooks'),
  events: ['payment.confirmed', 'subscription.*'].map(asText),
  description: null,
}
const [secretName, later] = [asText('first'), asText('second')]
const create = { type: 'CreateWebhook', details, secretName, allowed: 'https', others: 15 } as const
const update = { type: 'UpdateWebhook', changed: {}, allowed: 'https' } as const
const rotate = { type: 'RotateSecret', secretName: later, at: start } as const
const disableGone = { type: 'DisableWebhook', reason: 'gone', url: details.url } as const
const remove: WebhookCommand = { type: 'DeleteWebhook' }

const created: WebhookEvent = { type: 'WebhookCreated', data: { details, secretName } }
const disabled: WebhookEvent = { type: 'WebhookDisabled', data: {} }
const enabled: WebhookEvent = { type: 'WebhookEnabled', data: {} }
const deleted: WebhookEvent = { type: 'WebhookDeleted', data: {} }
const rotated: WebhookEvent = {
  type: 'WebhookSecretRotated',
  data: { secretName: later, formerValidUntil: unixMs(start + 24 * hourMs) },
}

describe('creating an endpoint', () => {
  it('records the address and the events of a new endpoint', () => given([]).when(create).then([created]))
  it('records nothing when the creation is repeated', () => given([created]).when(create).then([]))
  it('rejects an id that names another endpoint', () =>
    given([created])
      .when({ ...create, details: { ...details, name: asText('Other') } })
      .rejects({ _tag: 'WebhookAlreadyExists' }))
  it('rejects the seventeenth endpoint, but no repetition of an earlier creation', () => {
    const beyond = { ...create, others: 16 }
    given([]).when(beyond).rejects({ _tag: 'TooManyEndpoints', most: 16 })
    given([created]).when(beyond).then([])
  })
  it('rejects an endpoint without any event', () =>
    given([])
      .when({ ...create, details: { ...details, events: [] } })
      .rejects({ _tag: 'WebhookEventsEmpty' }))
  it.each(['*', 'subscription.*', 'payment.late', 'webhook.disabled'])('accepts the event filter %s', (event) => {
    const asking = { ...details, events: [asText(event)] }
    given([])
      .when({ ...create, details: asking })
      .then([{ type: 'WebhookCreated', data: { details: asking, secretName } }])
  })
  it.each(['payment.*', 'payment', 'payment.', 'payment.unknown', 'Payment.confirmed', '', '**', 'constructor'])(
    'rejects the unknown event filter %j',
    (event) =>
      given([])
        .when({ ...create, details: { ...details, events: [asText('*'), asText(event)] } })
        .rejects({ _tag: 'WebhookEventUnknown', event }),
  )
})

describe('the URL of a webhook endpoint', () => {
  const creating = (url: string, allowed: 'https' | 'https or loopback') =>
    given([]).when({ ...create, details: { ...details, url: urlOf(url) }, allowed })
  const loopback = [
    'http://localhost:8080/a',
    'http://127.0.0.1/',
    'http://127.9.9.9:1/',
    'http://[::1]:3/',
    'http://0x7f.1/',
  ]
  it.each(['https://shop.example', 'https://10.0.0.1/', 'https://localhost/'])('accepts the URL %s', (url) =>
    creating(url, 'https').then([
      { type: 'WebhookCreated', data: { details: { ...details, url: urlOf(url) }, secretName } },
    ]),
  )
  it.each(loopback)('accepts the URL %s in the sandbox', (url) =>
    creating(url, 'https or loopback').then([
      { type: 'WebhookCreated', data: { details: { ...details, url: urlOf(url) }, secretName } },
    ]),
  )
  it.each(loopback)('rejects the URL %s outside the sandbox', (url) =>
    creating(url, 'https').rejects({ _tag: 'WebhookUrlNotHttps' }),
  )
  it.each([
    'http://shop.example/',
    'http://128.0.0.1/',
    'http://localhost.shop.example/',
    'http://127.0.0.1.shop.example/',
  ])('rejects the URL %s even in the sandbox', (url) =>
    creating(url, 'https or loopback').rejects({ _tag: 'WebhookUrlNotHttps' }),
  )
  it.each(['https://user@shop.example/', 'https://:word@shop.example/'])('rejects a URL with credentials: %s', (url) =>
    creating(url, 'https').rejects({ _tag: 'WebhookUrlHasCredentials' }),
  )
})

describe('changing an endpoint', () => {
  const changed = { url: urlOf('https://shop.example/new'), description: asText('new') }
  it('records only what the update changes', () =>
    given([created])
      .when({ ...update, changed: { ...changed, name: details.name } })
      .then([{ type: 'WebhookChanged', data: changed }]))
  it('records nothing when the update is repeated', () =>
    given([created, { type: 'WebhookChanged', data: changed }])
      .when({ ...update, changed })
      .then([]))
  it('disables an endpoint', () =>
    given([created])
      .when({ ...update, isDisabled: true })
      .then([disabled]))
  it('disables an endpoint once', () =>
    given([created, disabled])
      .when({ ...update, isDisabled: true })
      .then([]))
  it('enables a disabled endpoint', () =>
    given([created, disabled])
      .when({ ...update, isDisabled: false })
      .then([enabled]))
  it('changes and disables an endpoint together', () =>
    given([created])
      .when({ ...update, changed, isDisabled: true })
      .then([{ type: 'WebhookChanged', data: changed }, disabled]))
  it('rejects an update to a URL that is not https', () =>
    given([created])
      .when({ ...update, changed: { url: urlOf('http://shop.example') } })
      .rejects({ _tag: 'WebhookUrlNotHttps' }))
  it('rejects an update to an unknown event', () =>
    given([created])
      .when({ ...update, changed: { events: [asText('no.such')] } })
      .rejects({ _tag: 'WebhookEventUnknown', event: 'no.such' }))
  it('rejects an update to no events', () =>
    given([created])
      .when({ ...update, changed: { events: [] } })
      .rejects({ _tag: 'WebhookEventsEmpty' }))
})

describe('rotating the secret of an endpoint', () => {
  it('keeps the previous secret valid for a day', () => given([created]).when(rotate).then([rotated]))
  it('records a rotation once', () => given([created, rotated]).when(rotate).then([]))
  it('keeps each previous secret valid for its own day', () => {
    const [third, at] = [asText('third'), unixMs(start + hourMs)]
    const { evolve, initial } = Webhook.decider
    const again: WebhookEvent = {
      type: 'WebhookSecretRotated',
      data: { secretName: third, formerValidUntil: unixMs(at + 24 * hourMs) },
    }
    expect([created, rotated, again].reduce(evolve, initial)).toMatchObject({
      secretName: third,
      formerSecrets: [
        { secretName: later, validUntil: at + 24 * hourMs },
        { secretName, validUntil: start + 24 * hourMs },
      ],
    })
  })
})

describe('an endpoint whose deliveries fail', () => {
  const disable = { type: 'DisableWebhook', reason: 'failing', url: details.url } as const
  const failing: WebhookEvent = { type: 'WebhookDisabled', data: { reason: 'failing' } }
  it.each(['gone', 'failing'] as const)('disables the endpoint and records the reason: %s', (reason) =>
    given([created])
      .when({ ...disable, reason })
      .then([{ type: 'WebhookDisabled', data: { reason } }]),
  )
  it('disables a failing endpoint once', () => given([created, failing]).when(disable).then([]))
  it('records nothing when the merchant has already disabled the endpoint', () =>
    given([created, disabled]).when(disable).then([]))
  it('lets the merchant enable the endpoint again', () =>
    given([created, failing])
      .when({ ...update, isDisabled: false })
      .then([enabled]))
  it('ignores failed deliveries to a previous URL', () =>
    given([created, { type: 'WebhookChanged', data: { url: urlOf('https://shop.example/new') } }])
      .when(disable)
      .then([]))
})

describe('deleting an endpoint', () => {
  it('deletes an endpoint', () => given([created]).when(remove).then([deleted]))
  it('deletes an endpoint once', () => given([created, deleted]).when(remove).then([]))
})

describe('a webhook endpoint that does not exist', () => {
  it.each<WebhookCommand>([update, rotate, disableGone, remove])('rejects $type for an unknown endpoint', (command) =>
    given([]).when(command).rejects({ _tag: 'WebhookNotFound' }),
  )
  it.each<WebhookCommand>([update, rotate, disableGone])('is not found after its deletion: $type', (command) =>
    given([created, deleted]).when(command).rejects({ _tag: 'WebhookNotFound' }),
  )
  it('rejects a new endpoint under the id of a deleted one', () =>
    given([created, deleted]).when(create).rejects({ _tag: 'WebhookAlreadyExists' }))
})
