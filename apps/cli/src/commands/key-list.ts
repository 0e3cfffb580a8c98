import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import { type Command, option } from '../command.ts'
import type { Complaint } from '../complaint.ts'
import { keptKeys, listedKey } from '../listed-key.ts'
import { whichMerchant } from '../which-merchant.ts'

const name = 'key list'

/** The keys, without what is secret about them. */
export const keyList: Command = {
  name,
  summary: 'Lists the API keys, without their secrets.',
  explanation: `Lists the keys of all merchants, or of one: how each begins and ends, for which environment, what it may do, when it was
made and last used (to the minute), until when it is valid if another has replaced it, and when it was revoked. The keys
themselves are not kept, so they cannot be shown.`,
  options: [option('--merchant <merchant_id>', 'Only the keys of this merchant.')],
  example: {
    words: '',
    prints: `KEY                         MERCHANT                    ENVIRONMENT  BEGINS    ENDS  CREATED                   …
key_0350octnOHjxKc0nvAnxpS  mer_0350octnLi7Ud5KSrjAyiq  testnet      sk_test_  A9zI  2026-11-20T10:32:00.000Z  …`,
    json: `[{"key_id":"key_0350octnOHjxKc0nvAnxpS","merchant_id":"mer_0350octnLi7Ud5KSrjAyiq","environment":"testnet",
  "prefix":"sk_test_","last_four":"A9zI","scopes":[],"created_at":"2026-11-20T10:32:00.000Z",
  "last_used_at":"2026-11-20T10:33:00.000Z","valid_until":null,"revoked_at":null}]`,
  },
  run: (given, site) =>
    site.withBilling((billing) => {
      const wanted = given.option('merchant')
      const merchant: E.Either<Complaint, string | null> =
        wanted === null ? E.right(null) : whichMerchant(billing, wanted, name)
      return TE.fromEither(
        E.map((merchantId: string | null) =>
          shown(keptKeys(billing, merchantId).map((kept) => listedKey(billing, kept))),
        )(merchant),
      )
    }),
}

const heading = [
  'KEY',
  'MERCHANT',
  'ENVIRONMENT',
  'BEGINS',
  'ENDS',
  'CREATED',
  'LAST USED',
  'VALID UNTIL',
  'REVOKED',
  'MAY',
]

const shown = (keys: ReadonlyArray<ReturnType<typeof listedKey>>): Answer => {
  const rows = keys.map((key) => [
    key.key_id,
    key.merchant_id,
    key.environment,
    key.prefix,
    key.last_four,
    key.created_at,
    key.last_used_at ?? 'never',
    key.valid_until ?? 'no end',
    key.revoked_at ?? 'no',
    key.scopes.join(', ') || 'do everything',
  ])
  return {
    status: 0,
    json: keys,
    text: rows.length === 0 ? 'There is no key yet.' : table([heading, ...rows]),
  }
}
