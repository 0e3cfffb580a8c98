import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { type Command, option } from '../command.ts'
import { refused, usageError } from '../command-error.ts'
import { readTime } from '../read-time.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'
import { shownBy } from '../shown-by.ts'
import { valueLines } from '../value-lines.ts'

export const show: Command = {
  name: 'show',
  summary: 'Shows a resource as it is, was, or was known at a moment.',
  explanation: `Shows what \`GET\` of a resource answers. The id says of which kind it is: a product, customer, checkout, payment, refund,
subscription, exception, payout, payout destination, price change, approval or webhook. A customer and a product with a
slash between them show access, \`merchant\` the merchant's profile. --at shows what was true at a moment, whenever it was recorded;
--known-at what was recorded by then, which is what was answered then; both what was known then about an earlier moment.
Both moments are inclusive. Data of an erased customer is shown for no moment. Nothing is changed.`,
  argument: new Argument('<id>', 'The id, <customer_id>/<product_id>, or the word "merchant".'),
  options: [
    option('--at <time>', 'What was true then: 2026-11, 2026-11-23, 2026-11-23T12:00Z or to the second (UTC).'),
    option('--known-at <time>', 'What was known then, in the same forms. Not ahead of now.'),
    merchantOption,
    environmentOption,
  ],
  needsSoundLog: false,
  example: {
    words: 'pay_0350octnOHjxKc0nvAnxpS --known-at 2026-11-23T12:00Z',
    prints: `id: pay_0350octnOHjxKc0nvAnxpS
object: payment
amount: 20 USDC
status: pending
confirmed_at: none`,
    json: '{"id":"pay_0350octnOHjxKc0nvAnxpS","object":"payment","amount":"20 USDC","status":"pending","confirmed_at":null,…}',
  },
  run: async (line, installation) => {
    const [at, knownAt] = [readTime(line.option('at')), readTime(line.option('known-at'))]
    if (at === undefined || knownAt === undefined) {
      return E.left(
        usageError('--at and --known-at take 2026-11, 2026-11-23, 2026-11-23T12:00Z or 2026-11-23T12:00:00Z.'),
      )
    }
    return forMerchant(line, installation, async (billing, { merchantId, environment }) => {
      const then = billing.asOf({ at, knownAt })
      if (E.isLeft(then)) {
        const now = new Date(then.left.now).toISOString()
        return E.left(
          usageError(`--known-at lies ahead: here it is ${now}, and nobody knows what will have been recorded.`),
        )
      }
      const id = line.required('id')
      const look = shownBy(id)
      if (look === null) return E.left(usageError(`${id} is the id of nothing that can be shown.`))
      const found = await look(then.right, { merchantId, environment }, id)()
      if (E.isRight(found)) return E.right({ status: 0, json: found.right, text: valueLines(found.right).join('\n') })
      return E.left(
        found.left._tag === 'StoreUnavailable'
          ? refused('store_unavailable', 'The log cannot be read right now.')
          : refused('not_found', `There is no ${id} of this merchant in the ${environment} at that moment.`),
      )
    })
  },
}
