import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { keyById, keyJson } from '../keys.ts'
import { operatorContext } from '../scope.ts'

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Ends an API key, at once and for good.',
  explanation: `Ends a key: from now on the service refuses it. This cannot be undone; revoking a key again changes nothing.
\`quittance key list\` shows the ids of keys.`,
  argument: new Argument('<key_id>', 'The id of the key; not the key itself.'),
  options: [],
  needsSoundLog: true,
  example: {
    words: 'key_0350octnOHjxKc0nvAnxpS',
    prints: 'key_0350octnOHjxKc0nvAnxpS was revoked at 2026-11-20T10:35:00.000Z.',
    json: `{"key_id":"key_0350octnOHjxKc0nvAnxpS","merchant_id":"mer_0350octnLi7Ud5KSrjAyiq","environment":"testnet",
  "prefix":"sk_test_","last_four":"A9zI","scopes":[],"created_at":"2026-11-20T10:32:00.000Z","last_used_at":null,"valid_until":null,
  "revoked_at":"2026-11-20T10:35:00.000Z"}`,
  },
  run: (line, installation) =>
    installation.withBilling(async (billing) => {
      const keyId = line.required('key_id')
      const key = await keyById(billing, keyId)
      if (E.isLeft(key)) return key
      const { merchantId, row } = key.right
      const context = { ...operatorContext(billing, row.key.environment), merchantId }
      const revoked = await billing.merchants.revokeKey(context, row.key.keyId)()
      if (E.isLeft(revoked)) return revoked
      const after = await keyById(billing, keyId)
      if (E.isLeft(after)) return after
      const json = await keyJson(billing, after.right)
      return E.right({ status: 0, json, text: `${json.key_id} was revoked at ${json.revoked_at}.` })
    }),
}
