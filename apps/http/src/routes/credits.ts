import type { Billing } from '@quittance/billing'
import { Consumption, CreditBalance, CreditReceipt, CreditTransaction, id, listOf } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { answerPage, page } from '../wire/lists.ts'
import { momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

const params = { id: id('cus_'), product: id('prod_') }

type Pair = { readonly param: (name: 'id' | 'product') => string }
const accountIn = ({ param }: Pair) => ({ customerId: param('id'), productId: param('product') })

/** Prepaid units of metered products. */
export const creditRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { credits } = billing
  return [
    route({
      method: 'GET',
      path: '/customers/:id/credits/:product',
      summary: "Retrieve a customer's credits of a product",
      auth: keyed('customers:read'),
      params,
      query: t.type(momentQuery),
      answer: CreditBalance,
      handler: (asked) =>
        answerOf(readableAt(billing, asked.query).credits.retrieve(asked.principal(), accountIn(asked))),
    }),
    command(billing, {
      method: 'POST',
      path: '/customers/:id/credits/:product/consume',
      summary: 'Consume units, and answer what is left right after it',
      auth: keyed('customers:write'),
      params,
      body: Consumption,
      answer: CreditBalance,
      receipt: CreditReceipt,
      problems: ['insufficient_credits'],
      handler: (context, consumption, asked) => credits.consume(context, accountIn(asked), consumption),
    }),
    route({
      method: 'GET',
      path: '/customers/:id/credits/:product/transactions',
      summary: 'List what was granted and consumed, entry by entry',
      auth: keyed('customers:read'),
      params,
      query: t.type({ ...page, ...momentQuery }),
      answer: listOf(CreditTransaction),
      handler: (asked) => {
        const account = accountIn(asked)
        const { transaction, transactions } = readableAt(billing, asked.query).credits
        const url = `/customers/${account.customerId}/credits/${account.productId}/transactions`
        return answerPage(url, asked.principal(), asked.query, {
          list: (request) => () => answerOf(transactions(request, account)),
          retrieve: (owner, entry) => transaction(owner, account, entry),
        })
      },
    }),
  ]
}
