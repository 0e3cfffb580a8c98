import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { partial, strict } from '../shared/strict.ts'
import { HttpUrl, Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

const details = { name: Text, url: HttpUrl, events: t.readonlyArray(Text), description: orNull(Text) }

/** The endpoint of a merchant, and the public events that it wants. `events` are selectors: types, `subscription.*` or `*`. */
export const WebhookDetails = strict(details, 'WebhookDetails')
export type WebhookDetails = t.TypeOf<typeof WebhookDetails>

/** The fields that changed, each with its new value. */
export const ChangedWebhook = t.exact(t.partial(details), 'ChangedWebhook')
export type ChangedWebhook = t.TypeOf<typeof ChangedWebhook>

/** Why deliveries have disabled an endpoint: it answered that it is gone, or has answered nothing else than failures for days. */
const DisabledReason = t.keyof({ gone: null, failing: null })
/** Why an endpoint was disabled. */
export type DisabledReason = t.TypeOf<typeof DisabledReason>

// A secret is never in the log: `secretName` is what it is derived from, with a key of the vault.
export const WebhookEvent = facts([
  fact('WebhookCreated', strict({ details: WebhookDetails, secretName: Text })),
  fact('WebhookChanged', ChangedWebhook),
  // Without a reason: the merchant has.
  fact('WebhookDisabled', partial({ reason: DisabledReason })),
  fact('WebhookEnabled', strict({})),
  // The secret before it signs as well until then.
  fact('WebhookSecretRotated', strict({ secretName: Text, formerValidUntil: UnixMs })),
  fact('WebhookDeleted', strict({})),
])
export type WebhookEvent = t.TypeOf<typeof WebhookEvent>
