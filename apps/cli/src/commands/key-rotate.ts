import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { keyById, newKeyResult } from '../keys.ts'
import { operatorContext } from '../scope.ts'

const defaultHours = 24
const mostHours = 30 * 24
const hourMs = 60 * 60 * 1000

export const keyRotate: Command = {
  name: 'key rotate',
  summary: 'Replaces a key with a new one; the old one ends some hours later.',
  explanation: `Creates a key with the same environment and scopes, and ends the old one after the overlap. Both are valid until then, so
that users of the old key can change over without a pause. \`quittance key revoke\` ends it earlier.`,
  argument: new Argument('<key_id>', 'The id of the key to replace; not the key itself.'),
  options: [
    option('--overlap <hours>', `How long the old key stays valid: 0 to ${mostHours}, ${defaultHours} unless given.`),
  ],
  needsSoundLog: true,
  example: {
    words: 'key_0350octnOHjxKc0nvAnxpS --overlap 48',
    prints: `key_id           key_0350pAr1VxfPkn0cUQ2mTs
api_key          sk_test_…
old_key_id       key_0350octnOHjxKc0nvAnxpS
old_valid_until  2026-11-22T10:35:00.000Z`,
    json: `{"key_id":"key_0350pAr1VxfPkn0cUQ2mTs","api_key":"sk_test_…","old_key_id":"key_0350octnOHjxKc0nvAnxpS",
  "old_valid_until":"2026-11-22T10:35:00.000Z"}`,
  },
  run: async (line, installation) => {
    const hours = readHours(line.option('overlap'))
    if (hours === null) return E.left(usageError(`--overlap must be a whole number of hours, 0 to ${mostHours}.`))
    return installation.withBilling(async (billing) => {
      const old = await keyById(billing, line.required('key_id'))
      if (E.isLeft(old)) return old
      const { merchantId, row } = old.right
      const context = { ...operatorContext(billing, row.key.environment), merchantId }
      const rotated = await billing.merchants.rotateKey(context, row.key.keyId, hours * hourMs)()
      if (E.isLeft(rotated)) return rotated
      const { keyId, secret, validUntil } = rotated.right
      return E.right(
        newKeyResult({
          key_id: keyId,
          api_key: secret,
          old_key_id: row.key.keyId,
          old_valid_until: new Date(validUntil).toISOString(),
        }),
      )
    })
  },
}

const readHours = (text: string | null): number | null => {
  if (text === null) return defaultHours
  return /^\d{1,3}$/.test(text) && Number(text) <= mostHours ? Number(text) : null
}
