import * as E from 'fp-ts/lib/Either.js'
import { type Command, mandatoryOption } from '../command.ts'
import { printable } from '../printing.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'
import { decisionOf, decisionOptions } from './decision.ts'

export const customerMerge: Command = {
  name: 'customer merge',
  summary: 'Makes two customers one, for ever.',
  explanation: `For a person who stands as two customers. The one of --into remains and owns everything of the other: sales, payments,
subscriptions, credits, access, wallets and look-ups. The other id keeps answering, names the one that remains, and has its access.
Whoever reads the mail or holds a proven wallet of either enters the portal of both: see first that both are one person
(docs/customers.md). Refused while both have a subscription of a product that allows one. Nothing takes a merge back.`,
  options: [
    mandatoryOption('--from <customer_id>', 'The customer that ends as one of its own.'),
    mandatoryOption('--into <customer_id>', 'The customer that remains.'),
    merchantOption,
    environmentOption,
    ...decisionOptions,
  ],
  needsSoundLog: true,
  example: {
    words:
      '--from cus_0350octnOHjxKc0nvAnxpS --into cus_0350octnP2mRQe7wZk41ab --reason "signed with both wallets" --by Ada',
    prints: 'Merged: cus_0350octnOHjxKc0nvAnxpS is cus_0350octnP2mRQe7wZk41ab from now on, says Ada.',
    json: '{"object":"customer_merge","customer_id":"cus_0350octnP2mRQe7wZk41ab","merged_customer_id":"cus_0350octnOHjxKc0nvAnxpS","by":"Ada","reason":"signed with both wallets"}',
  },
  run: async (line, installation) => {
    const decision = decisionOf(line)
    if (E.isLeft(decision)) return decision
    return forMerchant(line, installation, async ({ customers }, context) => {
      const [from, into] = [line.required('from'), line.required('into')]
      const merged = await customers.merge(context, { from, into, ...decision.right })()
      if (E.isLeft(merged)) return merged
      const text = `Merged: ${from} is ${into} from now on, says ${decision.right.by}.`
      return E.right({ status: 0, json: { ...merged.right, ...decision.right }, text: printable(text) })
    })
  },
}
