import * as E from 'fp-ts/lib/Either.js'
import { isSame } from '../shared/equality.ts'
import { eventSelectors } from '../shared/event-types.ts'
import type { HttpUrl } from '../shared/text.ts'
import { hourMs, unixMs } from '../shared/units.ts'
import type { AllowedUrls, WebhookChanges, WebhookCommand } from './commands.ts'
import type { ChangedWebhook, WebhookDetails, WebhookEvent } from './events.ts'
import { isLoopbackHost } from './loopback.ts'
import type { WebhookRejection } from './rejections.ts'
import type { Living, WebhookState } from './state.ts'

type Decision = E.Either<WebhookRejection, ReadonlyArray<WebhookEvent>>
type Of<Type extends WebhookCommand['type']> = Extract<WebhookCommand, { readonly type: Type }>

const formerSecretMs = 24 * hourMs
/** Each event of a merchant becomes a delivery, and its retries, for each of its endpoints in that environment. */
export const mostEndpoints = 16

export const decide =
  (command: WebhookCommand) =>
  (state: WebhookState): Decision => {
    if (command.type === 'CreateWebhook') return create(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'WebhookNotFound' })
    if (command.type === 'DeleteWebhook') {
      return E.right(state.status === 'deleted' ? [] : [{ type: 'WebhookDeleted', data: {} }])
    }
    if (state.status === 'deleted') return E.left({ _tag: 'WebhookNotFound' })
    switch (command.type) {
      case 'UpdateWebhook':
        return update(command, state)
      case 'RotateSecret':
        return E.right(rotate(command, state))
      case 'DisableWebhook':
        return E.right(disable(command, state))
    }
  }

const create = ({ details, secretName, allowed, others }: Of<'CreateWebhook'>, state: WebhookState): Decision => {
  if (state.status === 'absent') {
    if (others >= mostEndpoints) return E.left({ _tag: 'TooManyEndpoints', most: mostEndpoints })
    const data = { details, secretName }
    return E.map((): ReadonlyArray<WebhookEvent> => [{ type: 'WebhookCreated', data }])(judged(details, allowed))
  }
  const isRepeated = state.status === 'living' && state.secretName === secretName && isSame(state.details, details)
  return isRepeated ? E.right([]) : E.left({ _tag: 'WebhookAlreadyExists' })
}

const update = ({ changed, isDisabled, allowed }: Of<'UpdateWebhook'>, state: Living): Decision => {
  const details = differing(state.details, changed)
  const events: ReadonlyArray<WebhookEvent> = [
    ...(isSame(details, {}) ? [] : [{ type: 'WebhookChanged' as const, data: details }]),
    ...(isDisabled === undefined || isDisabled === state.isDisabled
      ? []
      : [{ type: isDisabled ? ('WebhookDisabled' as const) : ('WebhookEnabled' as const), data: {} }]),
  ]
  return E.map(() => events)(judged(details, allowed))
}

const differing = (known: WebhookDetails, { name, url, events, description }: WebhookChanges): ChangedWebhook => ({
  ...(name === undefined || name === known.name ? {} : { name }),
  ...(url === undefined || url === known.url ? {} : { url }),
  ...(events === undefined || isSame(events, known.events) ? {} : { events }),
  ...(description === undefined || description === known.description ? {} : { description }),
})

const rotate = ({ secretName, at }: Of<'RotateSecret'>, state: Living): ReadonlyArray<WebhookEvent> =>
  secretName === state.secretName
    ? []
    : [{ type: 'WebhookSecretRotated', data: { secretName, formerValidUntil: unixMs(at + formerSecretMs) } }]

/** Where it is elsewhere by now, or was disabled by others, what came of earlier deliveries says nothing. */
const disable = ({ reason, url }: Of<'DisableWebhook'>, state: Living): ReadonlyArray<WebhookEvent> =>
  state.isDisabled || state.details.url !== url ? [] : [{ type: 'WebhookDisabled', data: { reason } }]

/** Judges the form only: which addresses a name stands for is asked at each delivery. */
const judged = ({ url, events }: ChangedWebhook, allowed: AllowedUrls): E.Either<WebhookRejection, void> => {
  if (events?.length === 0) return E.left({ _tag: 'WebhookEventsEmpty' })
  const unknown = events?.find((event) => !eventSelectors.has(event))
  if (unknown !== undefined) return E.left({ _tag: 'WebhookEventUnknown', event: unknown })
  return url === undefined ? E.right(undefined) : judgedUrl(url, allowed)
}

const judgedUrl = (text: HttpUrl, allowed: AllowedUrls): E.Either<WebhookRejection, void> => {
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return E.left({ _tag: 'WebhookUrlHasCredentials' })
  return protocol === 'https:' || (allowed === 'https or loopback' && isLoopbackHost(hostname))
    ? E.right(undefined)
    : E.left({ _tag: 'WebhookUrlNotHttps' })
}
