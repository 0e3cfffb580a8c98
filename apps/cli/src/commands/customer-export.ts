import { readsAll } from '@quittance/billing/scopes'
import { Argument } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import type { Command } from '../command.ts'
import { environmentOption, forMerchant, merchantOption } from '../scope.ts'
import { valueLines } from '../value-lines.ts'

export const customerExport: Command = {
  name: 'customer export',
  summary: 'Shows everything that is kept about a customer.',
  explanation: `For a customer who asks what is kept: profile, wallets and how they were proven, entitlements, subscriptions, mandates,
invoices, checkouts with the terms that were accepted, payments, refunds, money that did not fit, credits, and the history
of all that with sealed data opened. What is kept and not shown is named with the reason. Of an erased customer nothing can
be shown: the command says so. Nothing is changed.`,
  argument: new Argument('<customer_id>', 'The id of the customer.'),
  options: [merchantOption, environmentOption],
  needsSoundLog: false,
  example: {
    words: 'cus_0350octnOHjxKc0nvAnxpS',
    prints: `object: customer_export
customer:
  id: cus_0350octnOHjxKc0nvAnxpS
  email: grace@example.com
  wallets:
    - address: G…
      via: proven
payments:
  - id: pay_…
    amount: 20 USDC`,
    json: '{"object":"customer_export","exported_at":"2026-11-23T09:12:31.000Z","customer":{…},"access":[…],"subscriptions":[…],"mandates":[…],"invoices":[…],"checkouts":[…],"payments":[…],"refunds":[…],"exceptions":[…],"credits":[…],"history":[…],"left_out":[…]}',
  },
  run: (line, installation) =>
    forMerchant(line, installation, async (billing, scope) => {
      const exported = await billing.exportCustomer(scope, line.required('customer_id'), readsAll, mostCreditEntries)()
      if (E.isLeft(exported)) return exported
      return E.right({ status: 0, json: exported.right, text: valueLines(exported.right).join('\n') })
    }),
}

const mostCreditEntries = 1_000_000
