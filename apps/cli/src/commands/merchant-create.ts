import { Text } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, table } from '../answer.ts'
import { type Command, mandatoryOption } from '../command.ts'
import { misuse } from '../complaint.ts'
import { complaintOf } from '../failures.ts'
import { operatorContext } from '../site.ts'
import { environmentOption, whichEnvironment } from './ledger-environment.ts'

const name = 'merchant create'
const longestName = 200

const isName = (text: string): text is Text =>
  Text.is(text) && text.trim() !== '' && text.length <= longestName && !/\p{Cc}/u.test(text)

/** A merchant, and a first key with which everything may be done in one environment. */
export const merchantCreate: Command = {
  name,
  summary: 'Makes a merchant and its first API key.',
  explanation: `Makes a merchant with a settlement account of its own in one environment, and an API key that may do everything
there. In the sandbox the account is funded and trusts the sandbox's assets; on a real network \`quittance merchant setup\`
leads through that. The key is shown only now: of keys, only hashes are kept. \`quittance key create\` makes more of
them, and with the first one for the other environment an account there.`,
  options: [
    mandatoryOption('--name <name>', `What customers know it by; at most ${longestName} characters.`),
    environmentOption,
  ],
  example: {
    words: '--name "Ada & Co"',
    prints: `merchant_id  mer_0350octnLi7Ud5KSrjAyiq
api_key      sk_test_…`,
    json: '{"merchant_id":"mer_0350octnLi7Ud5KSrjAyiq","api_key":"sk_test_…"}',
  },
  run: (given, site) => {
    const wanted = given.required('name')
    if (!isName(wanted)) {
      return TE.left(misuse(`--name takes 1 to ${longestName} characters, without control characters.`, name))
    }
    const environment = whichEnvironment(given, name)
    if (E.isLeft(environment)) return TE.left(environment.left)
    return site.withBilling((billing) =>
      pipe(
        billing.merchants.create(operatorContext(billing, environment.right), wanted),
        TE.bimap(complaintOf, ({ merchantId, secret }): Answer => {
          const json = { merchant_id: merchantId, api_key: secret }
          return { status: 0, json, text: `${table(Object.entries(json))}\n\nKeep the key: it is not shown again.` }
        }),
      ),
    )
  },
}
