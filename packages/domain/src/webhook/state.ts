import * as t from 'io-ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'
import { WebhookDetails, type WebhookEvent } from './events.ts'

const webhook = {
  details: WebhookDetails,
  isDisabled: t.boolean,
  secretName: Text,
  /** Former secrets, newest first. Each still signs until its moment. */
  formerSecrets: t.readonlyArray(strict({ secretName: Text, validUntil: UnixMs })),
}
/** What is kept of an endpoint once it exists. */
export const WebhookRecord = byStatus({ living: webhook, deleted: webhook }, 'WebhookRecord')
export type WebhookRecord = t.TypeOf<typeof WebhookRecord>
export type Living = Extract<WebhookRecord, { readonly status: 'living' }>
/** What the events of its stream say about an endpoint. */
export type WebhookState = { readonly status: 'absent' } | WebhookRecord

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
      return { ...state, status: 'deleted' }
  }
}
