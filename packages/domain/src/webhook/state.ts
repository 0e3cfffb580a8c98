import { CorruptStream } from '../shared/decider.ts'
import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { WebhookDetails, WebhookEvent } from './events.ts'

export type Living = {
  readonly status: 'living'
  readonly details: WebhookDetails
  readonly isDisabled: boolean
  readonly secretName: Text
  /** What signs as well, the newest first: each until its moment. */
  readonly formerSecrets: ReadonlyArray<{ readonly secretName: Text; readonly validUntil: UnixMs }>
}
export type WebhookState = { readonly status: 'absent' } | Living | { readonly status: 'deleted' }

export const initial: WebhookState = { status: 'absent' }

export const evolve = (state: WebhookState, { type, data }: WebhookEvent): WebhookState => {
  if (type === 'WebhookCreated') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'living', isDisabled: false, formerSecrets: [], ...data }
  }
  if (state.status !== 'living') throw new CorruptStream(type, state.status)
  switch (type) {
    case 'WebhookChanged':
      return { ...state, details: { ...state.details, ...data } }
    case 'WebhookDisabled':
      return { ...state, isDisabled: true }
    case 'WebhookEnabled':
      return { ...state, isDisabled: false }
    case 'WebhookSecretRotated':
      return {
        ...state,
        secretName: data.secretName,
        formerSecrets: [{ secretName: state.secretName, validUntil: data.formerValidUntil }, ...state.formerSecrets],
      }
    case 'WebhookDeleted':
      return { status: 'deleted' }
  }
}
