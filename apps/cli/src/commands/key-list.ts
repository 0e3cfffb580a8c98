import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, option } from '../command.ts'
import { keyJson, storedKeys } from '../keys.ts'
import { table } from '../printing.ts'
import { merchantOf } from '../scope.ts'

export const keyList: Command = {
  name: 'key list',
  summary: 'Lists the API keys, without their secrets.',
  explanation: `Lists the keys of all merchants, or of one: how each begins and ends, its environment and scopes, when it was created,
last used (to the minute) and revoked, and how long it stays valid after its replacement. The secrets themselves are not
stored, so nothing can show them again.`,
  options: [option('--merchant <merchant_id>', 'Only the keys of this merchant.')],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `KEY                         MERCHANT                    ENVIRONMENT  BEGINS    ENDS  CREATED                   …
key_0350octnOHjxKc0nvAnxpS  mer_0350octnLi7Ud5KSrjAyiq  testnet      sk_test_  A9zI  2026-11-20T10:32:00.000Z  …`,
    json: `[{"key_id":"key_0350octnOHjxKc0nvAnxpS","merchant_id":"mer_0350octnLi7Ud5KSrjAyiq","environment":"testnet",
  "prefix":"sk_test_","last_four":"A9zI","scopes":[],"created_at":"2026-11-20T10:32:00.000Z",
  "last_used_at":"2026-11-20T10:33:00.000Z","valid_until":null,"revoked_at":null}]`,
  },
  run: (line, installation) =>
    installation.withBilling(async (billing) => {
      const merchantId = line.option('merchant') === null ? E.right(null) : await merchantOf(billing, line)
      if (E.isLeft(merchantId)) return merchantId
      const keys = await storedKeys(billing, merchantId.right)
      return E.right(resultOf(await Promise.all(keys.map((key) => keyJson(billing, key)))))
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
  'SCOPES',
]

const resultOf = (keys: ReadonlyArray<Awaited<ReturnType<typeof keyJson>>>): CommandResult => {
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
    key.scopes.join(', ') || 'unrestricted',
  ])
  return {
    status: 0,
    json: keys,
    text: rows.length === 0 ? 'There is no key yet.' : table([heading, ...rows]),
  }
}
