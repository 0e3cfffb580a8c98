import * as t from 'io-ts'
import { optional, orNull, says } from './codecs.ts'
import { createdAt, environment, objectOf } from './fields.ts'
import { id, oneOf, such, text, timestamp } from './values.ts'

const mostScopes = 100
const scope = text(50)
const scopes = such(
  t.readonlyArray(scope),
  ({ length }) => length > 0 && length <= mostScopes,
  `a list of 1 to ${mostScopes} scopes`,
  { type: 'array', items: scope.schema, minItems: 1, maxItems: mostScopes, examples: [['payments:read']] },
)
const kind = oneOf('secret', 'app')

/** Whether a key counts. */
export const ApiKeyStatus = oneOf('active', 'revoked')

const shown = {
  id: id('key_'),
  object: objectOf('api_key'),
  status: says('Whether somebody has revoked it. One that was replaced ends at `valid_until` by itself.', ApiKeyStatus),
  kind: says('`secret` may do everything, `app` (an app token) what its scopes name.', kind),
  name: says('What uses it; null if nobody has said so.', orNull(t.string)),
  scopes: says('What an app token may do; empty for a secret key.', t.readonlyArray(t.string)),
  begins_with: says('How the key begins.', t.string),
  ends_with: says('Its last four characters.', t.string),
  made_by: says('The member who has made it; null if the operator has.', orNull(id('mem_'))),
  last_used_at: says('To the minute; null if it never was.', orNull(timestamp)),
  valid_until: says('When it ends, since another has taken its place; null if none has.', orNull(timestamp)),
  revoked_at: says('When it was revoked.', orNull(timestamp)),
  environment,
  created_at: createdAt,
}

/** An API key or an app token, without its secret, which nobody can show again. */
export const ApiKey = t.type(shown, 'ApiKey')
export type ApiKey = t.TypeOf<typeof ApiKey>

/** A new key. */
export const ApiKeyWithSecret = t.type(
  { ...shown, secret: says('The key itself. It is shown here and never again.', t.string) },
  'ApiKeyWithSecret',
)
export type ApiKeyWithSecret = t.TypeOf<typeof ApiKeyWithSecret>

/** A key to make, for the network that `x-environment` names. */
export const NewApiKey = t.type(
  {
    kind: says('`secret` may do everything, `app` (an app token) what its scopes name.', kind),
    name: says('What will use it, and not whom: it stays in the records for good.', text(100)),
    scopes: says('What an app token may do: it needs them. A secret key has none.', optional(scopes)),
  },
  'NewApiKey',
)

const overlapHours = such(
  t.number,
  (hours) => Number.isInteger(hours) && hours >= 0 && hours <= 720,
  'a whole number from 0 to 720',
  {
    type: 'integer',
    minimum: 0,
    maximum: 720,
  },
)

/** How a key is replaced. */
export const KeyReplacement = t.type(
  { overlap_hours: says('How long the present key stays valid: 24 unless you say otherwise.', optional(overlapHours)) },
  'KeyReplacement',
)
