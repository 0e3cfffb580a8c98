import type { HttpUrl, Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { DisabledReason, WebhookDetails } from './events.ts'

/** Where deliveries may go: `loopback` for tests on one machine, where an endpoint has no certificate. */
export type AllowedUrls = 'https' | 'https or loopback'

type CreateWebhook = {
  readonly type: 'CreateWebhook'
  readonly details: WebhookDetails
  readonly secretName: Text
  readonly allowed: AllowedUrls
  /** How many other endpoints the merchant has in this environment. */
  readonly others: number
}
/** Fields that are left out, or undefined, stay as they are. */
export type WebhookChanges = { readonly [Field in keyof WebhookDetails]?: WebhookDetails[Field] | undefined }
type UpdateWebhook = {
  readonly type: 'UpdateWebhook'
  readonly changed: WebhookChanges
  readonly isDisabled?: boolean
  readonly allowed: AllowedUrls
}
type RotateSecret = { readonly type: 'RotateSecret'; readonly secretName: Text; readonly at: UnixMs }
/** Because of the outcomes of deliveries to `url`. */
type DisableWebhook = { readonly type: 'DisableWebhook'; readonly reason: DisabledReason; readonly url: HttpUrl }
type DeleteWebhook = { readonly type: 'DeleteWebhook' }

/** What may be asked of an endpoint. */
export type WebhookCommand = CreateWebhook | UpdateWebhook | RotateSecret | DisableWebhook | DeleteWebhook
