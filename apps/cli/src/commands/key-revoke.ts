import { ApiKeyId } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from '../answer.ts'
import type { Command } from '../command.ts'
import { type Complaint, refused } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { type KeptKey, keptKeys, listedKey } from '../listed-key.ts'
import { operatorContext } from '../site.ts'

/** The end of a key. */
export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Ends an API key, at once and for good.',
  explanation: `Ends a key: from now on nothing is answered to it. It cannot be undone; revoking a key again changes nothing.
\`quittance key list\` shows the ids of keys.`,
  argument: { name: 'key_id', text: 'The id of the key; not the key itself.' },
  options: {},
  example: {
    words: 'key_0350octnOHjxKc0nvAnxpS',
    prints: 'key_0350octnOHjxKc0nvAnxpS is revoked since 2026-11-20T10:35:00.000Z.',
    json: `{"key_id":"key_0350octnOHjxKc0nvAnxpS","merchant_id":"mer_0350octnLi7Ud5KSrjAyiq","environment":"testnet",
  "prefix":"sk_test_","last_four":"A9zI","scopes":[],"created_at":"2026-11-20T10:32:00.000Z","revoked_at":"2026-11-20T10:35:00.000Z"}`,
  },
  run: (given, site) =>
    site.withBilling((billing) => {
      const keyId = given.required('key_id')
      const find = (): KeptKey | undefined => keptKeys(billing, null).find(({ row }) => row.key.keyId === keyId)
      const known = find()
      if (known === undefined) return TE.left(unknownKey(keyId))
      const { merchantId, row } = known
      return pipe(
        billing.merchants.revokeKey({ ...operatorContext(billing, row.key.environment), merchantId }, row.key.keyId),
        TE.bimap(complaintOf, () => shown(listedKey(find() ?? known))),
      )
    }),
}

/** A key itself, given in place of its id, is not repeated: it would stand in the terminal and in logs. */
const unknownKey = (keyId: string): Complaint =>
  ApiKeyId.is(keyId)
    ? complaintOf({ _tag: 'ApiKeyNotFound', keyId })
    : refused('api_key_not_found', 'There is no such key: its id begins with key_. `quittance key list` shows them.')

const shown = (key: ReturnType<typeof listedKey>): Answer => ({
  status: 0,
  json: key,
  text: `${key.key_id} is revoked since ${key.revoked_at}.`,
})
