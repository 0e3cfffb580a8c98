import type { LimitsResource } from '@quittance/billing'
import { LimitScope } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, type CommandResult, mandatoryOption, option } from '../command.ts'
import { usageError } from '../command-error.ts'
import { table } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'

export const limitSet: Command = {
  name: 'limit set',
  summary: 'Bounds what may go out of a merchant in 24 hours without an approval.',
  explanation: `Sets a limit of the operator beside those of the merchant: the lowest counts. Refunds and payouts that it has no room
for wait until another key approves them (\`quittance approval list\`). A lower limit counts at once, a higher one, or
none, after 24 hours. The merchant hears of it (limits.changed).`,
  options: [
    merchantOption,
    environmentOption,
    option('--of <scope>', 'merchant, each_key, or the id of a key.').default('merchant'),
    mandatoryOption('--amount <dollars>', 'US dollars in 24 hours, or none.'),
  ],
  needsSoundLog: false,
  example: {
    words: '--merchant mer_… --amount 500',
    prints: `OF        SET BY    DOLLARS  THEN  FROM
merchant  operator  500`,
    json: '{"object":"limits","currency":"USD","limits":[{"scope":"merchant","set_by":"operator","amount":"500","next_amount":null,"next_from":null,…}],"used_24h":"0","environment":"testnet"}',
  },
  run: async (line, installation) => {
    const [scope, amount] = [line.required('of'), line.required('amount')]
    if (!LimitScope.is(scope)) return E.left(usageError('--of takes merchant, each_key or the id of a key.'))
    if (amount !== 'none' && !/^\d{1,11}(\.\d{1,2})?$/.test(amount))
      return E.left(usageError('--amount takes US dollars such as 500 or 99.5, or none.'))
    return forMerchant(line, installation, async ({ limits }, context) => {
      const wanted = limits.read({ scope, amount: amount === 'none' ? null : amount })
      const set = await limits.set(context, { setter: 'operator', ...wanted })()
      return E.isLeft(set) ? set : E.right(resultOf(set.right))
    })
  },
}

export const limitList: Command = {
  name: 'limit list',
  summary: 'Lists the limits of a merchant, and what is used of them.',
  explanation: 'Lists the limits of the operator and of the merchant, with raises that are ahead.',
  options: [merchantOption, environmentOption],
  needsSoundLog: false,
  example: {
    words: '',
    prints: `OF        SET BY    DOLLARS  THEN  FROM
merchant  operator  500      1000  2026-11-24T10:00:00.000Z`,
    json: '{"object":"limits","currency":"USD","limits":[{"scope":"merchant","set_by":"operator","amount":"500","next_amount":"1000","next_from":"2026-11-24T10:00:00.000Z",…}],"used_24h":"120.5","environment":"testnet"}',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async ({ limits }, { merchantId, environment }) => {
      const found = await limits.retrieve({ merchantId, environment })()
      return E.isLeft(found) ? found : E.right(resultOf(found.right))
    }),
}

const resultOf = (found: LimitsResource): CommandResult => ({
  status: 0,
  json: found,
  text:
    found.limits.length === 0
      ? 'No limit is set.'
      : table([
          ['OF', 'SET BY', 'DOLLARS', 'THEN', 'FROM'],
          ...found.limits.map(({ scope, set_by, amount, next_amount, next_from }) => [
            scope,
            set_by,
            amount ?? 'none',
            next_from === null ? '' : (next_amount ?? 'none'),
            next_from ?? '',
          ]),
        ]),
})
