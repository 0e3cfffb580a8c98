import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import { type Command, option } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { knownKey } from '../listed-key.ts'
import { operatorContext } from '../site.ts'

const name = 'key rotate'
const defaultHours = 24
const mostHours = 30 * 24
const hourMs = 60 * 60 * 1000

/** A new key in the place of an old one, which goes on for a while. */
export const keyRotate: Command = {
  name,
  summary: 'Makes a new key in the place of one that ends some hours later.',
  explanation: `Makes a key that may do the same for the same environment, and lets the old one end after the overlap: until then both
are valid, so that whatever uses the old one can be moved without a pause. \`quittance key revoke\` ends it earlier.`,
  argument: new Argument('<key_id>', 'The id of the key to replace; not the key itself.'),
  options: [
    option(
      '--overlap <hours>',
      `For how long the old key stays valid: 0 to ${mostHours}, ${defaultHours} unless given.`,
    ),
  ],
  example: {
    words: 'key_0350octnOHjxKc0nvAnxpS --overlap 48',
    prints: `key_id           key_0350pAr1VxfPkn0cUQ2mTs
api_key          sk_test_…
old_key_id       key_0350octnOHjxKc0nvAnxpS
old_valid_until  2026-11-22T10:35:00.000Z`,
    json: `{"key_id":"key_0350pAr1VxfPkn0cUQ2mTs","api_key":"sk_test_…","old_key_id":"key_0350octnOHjxKc0nvAnxpS",
  "old_valid_until":"2026-11-22T10:35:00.000Z"}`,
  },
  run: (given, site) => {
    const hours = readHours(given.option('overlap'))
    if (hours === null) return TE.left(misuse(`--overlap must be a whole number of hours, 0 to ${mostHours}.`, name))
    return site.withBilling((billing) => {
      const old = knownKey(billing, given.required('key_id'))
      if (E.isLeft(old)) return TE.left(old.left)
      const { merchantId, row } = old.right
      const context = { ...operatorContext(billing, row.key.environment), merchantId }
      return pipe(
        billing.merchants.rotateKey(context, row.key.keyId, hours * hourMs),
        TE.bimap(complaintOf, ({ keyId, secret, validUntil }): Answer => {
          const json = {
            key_id: keyId,
            api_key: secret,
            old_key_id: row.key.keyId,
            old_valid_until: new Date(validUntil).toISOString(),
          }
          return { status: 0, json, text: `${table(Object.entries(json))}\n\nKeep the key: it is not shown again.` }
        }),
      )
    })
  },
}

const readHours = (text: string | null): number | null => {
  if (text === null) return defaultHours
  return /^\d{1,3}$/.test(text) && Number(text) <= mostHours ? Number(text) : null
}
