import { readScopes, scopedResources, scopes } from '@quittance/billing/scopes'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import { type Command, option } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { operatorContext } from '../site.ts'
import { merchantOption, whichMerchant } from '../which-merchant.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'key create'

/** A key for one environment: for everything, or restricted to scopes. */
export const keyCreate: Command = {
  name,
  summary: 'Makes another API key, or a restricted one.',
  explanation: `Makes a key for one environment of a merchant. Without --scopes it may do everything and is sent as x-api-key; with them
it is an app token, may do what they name, and is sent as x-app-token. It is shown only now.
A merchant's first key for an environment comes with a settlement account of its own there.
The scopes are read or write on: ${scopedResources.join(', ')}.`,
  options: [
    merchantOption,
    environmentOption,
    option('--scopes <scopes>', 'Separated by commas, such as payments:read,access:read.'),
  ],
  example: {
    words: '--scopes payments:read,checkouts:write',
    prints: `key_id   key_0350octnOHjxKc0nvAnxpS
api_key  app_test_…`,
    json: '{"key_id":"key_0350octnOHjxKc0nvAnxpS","api_key":"app_test_…"}',
  },
  run: (given, site) => {
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    const text = given.option('scopes')
    const wanted = text === null ? E.right([]) : readScopes(text)
    if (E.isLeft(wanted)) {
      const unknown = wanted.left.map((word) => `"${word}"`).join(', ')
      return TE.left(misuse(`Not a scope: ${unknown}. The scopes are: ${scopes.join(', ')}.`, name))
    }
    return site.withBilling((billing) =>
      pipe(
        TE.fromEither(whichMerchant(billing, given.option('merchant'), name)),
        TE.chain((merchantId) =>
          TE.mapLeft(complaintOf)(
            billing.merchants.createKey({ ...operatorContext(billing, environment.right), merchantId }, wanted.right),
          ),
        ),
        TE.map(({ keyId, secret }): Answer => {
          const json = { key_id: keyId, api_key: secret }
          return { status: 0, json, text: `${table(Object.entries(json))}\n\nKeep the key: it is not shown again.` }
        }),
      ),
    )
  },
}
