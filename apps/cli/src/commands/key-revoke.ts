import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from '../answer.ts'
import type { Command } from '../command.ts'
import { complaintOf } from '../failures.ts'
import { knownKey, listedKey } from '../listed-key.ts'
import { operatorContext } from '../site.ts'

/** The end of a key. */
export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Ends an API key, at once and for good.',
  explanation: `Ends a key: from now on nothing is answered to it. It cannot be undone; revoking a key again changes nothing.
\`quittance key list\` shows the ids of keys.`,
  argument: new Argument('<key_id>', 'The id of the key; not the key itself.'),
  options: [],
  example: {
    words: 'key_0350octnOHjxKc0nvAnxpS',
    prints: 'key_0350octnOHjxKc0nvAnxpS is revoked since 2026-11-20T10:35:00.000Z.',
    json: `{"key_id":"key_0350octnOHjxKc0nvAnxpS","merchant_id":"mer_0350octnLi7Ud5KSrjAyiq","environment":"testnet",
  "prefix":"sk_test_","last_four":"A9zI","scopes":[],"created_at":"2026-11-20T10:32:00.000Z","last_used_at":null,"valid_until":null,
  "revoked_at":"2026-11-20T10:35:00.000Z"}`,
  },
  run: (given, site) =>
    site.withBilling((billing) => {
      const find = () => knownKey(billing, given.required('key_id'))
      const known = find()
      if (E.isLeft(known)) return TE.left(known.left)
      const { merchantId, row } = known.right
      return pipe(
        billing.merchants.revokeKey({ ...operatorContext(billing, row.key.environment), merchantId }, row.key.keyId),
        TE.bimap(complaintOf, () => shown(listedKey(billing, E.getOrElse(() => known.right)(find())))),
      )
    }),
}

const shown = (key: ReturnType<typeof listedKey>): Answer => ({
  status: 0,
  json: key,
  text: `${key.key_id} is revoked since ${key.revoked_at}.`,
})
