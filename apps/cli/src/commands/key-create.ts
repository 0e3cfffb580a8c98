import { anyDestination, readScopes, scopedResources, scopes } from '@quittance/billing/scopes'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { newKeyResult } from '../keys.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

export const keyCreate: Command = {
  name: 'key create',
  summary: 'Creates another API key, or a restricted one.',
  explanation: `Creates a key for one environment of a merchant. Without --scopes the key is unrestricted and is sent as x-api-key; with
them it is an app token, limited to those scopes, and is sent as x-app-token. It is shown only once.
A merchant's first key for an environment comes with a settlement account there.
The scopes are read or write on: ${scopedResources.join(', ')}.
${anyDestination} lets refunds and returned exceptions go to any address, after 24 hours; it needs their scope as well.`,
  options: [
    merchantOption,
    environmentOption,
    option('--scopes <scopes>', 'Separated by commas, such as payments:read,access:read.'),
  ],
  needsSoundLog: true,
  example: {
    words: '--scopes payments:read,checkouts:write',
    prints: `key_id   key_0350octnOHjxKc0nvAnxpS
api_key  app_test_…`,
    json: '{"key_id":"key_0350octnOHjxKc0nvAnxpS","api_key":"app_test_…"}',
  },
  run: async (line, installation) => {
    const text = line.option('scopes')
    const wanted = text === null ? E.right([]) : readScopes(text)
    if (E.isLeft(wanted)) {
      const unknown = wanted.left.map((word) => `"${word}"`).join(', ')
      return E.left(usageError(`Not a scope: ${unknown}. The scopes are: ${scopes.join(', ')}.`))
    }
    return forMerchant(line, installation, async ({ merchants }, context) => {
      const made = await merchants.createKey(context, wanted.right)()
      if (E.isLeft(made)) return made
      return E.right(newKeyResult({ key_id: made.right.keyId, api_key: made.right.secret }))
    })
  },
}
