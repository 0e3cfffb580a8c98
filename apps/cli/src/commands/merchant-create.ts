import { isPlainText } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { usageError } from '../command-error.ts'
import { newKeyResult } from '../keys.ts'
import { environmentOption, inEnvironment } from '../scope.ts'

const longestName = 200

export const merchantCreate: Command = {
  name: 'merchant create',
  summary: 'Creates a merchant and its first API key.',
  explanation: `Creates a merchant with a settlement account in one environment, and an unrestricted API key for it. The sandbox funds
the account and adds its trustlines; on a real network \`quittance merchant setup\` leads through that.
The key is shown only once, since only its hash is stored. \`quittance key create\` creates more keys; the first one for
the other environment comes with an account there.`,
  options: [
    mandatoryOption('--name <name>', `The name that customers see; at most ${longestName} characters.`),
    environmentOption,
  ],
  needsSoundLog: true,
  example: {
    words: '--name "Ada & Co"',
    prints: `merchant_id  mer_0350octnLi7Ud5KSrjAyiq
api_key      sk_test_…`,
    json: '{"merchant_id":"mer_0350octnLi7Ud5KSrjAyiq","api_key":"sk_test_…"}',
  },
  run: async (line, installation) => {
    const name = line.required('name')
    if (!isPlainText(name, longestName)) {
      return E.left(usageError(`--name takes 1 to ${longestName} characters, without control characters.`))
    }
    return inEnvironment(line, installation, async ({ merchants }, context) => {
      const made = await merchants.create(context, name)()
      if (E.isLeft(made)) return made
      return E.right(newKeyResult({ merchant_id: made.right.merchantId, api_key: made.right.secret }))
    })
  },
}
