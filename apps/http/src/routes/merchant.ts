import type { Billing } from '@quittance/billing'
import { ChangedMerchant, Merchant, MerchantReceipt } from '@quittance/client/wire'
import * as t from 'io-ts'
import { keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { momentQuery, readableAt } from '../wire/moment.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Who the merchant is, as customers see it in the environment of the key. */
export const merchantRoutes = (billing: Billing): ReadonlyArray<Route> => [
  command(billing, {
    method: 'PUT',
    path: '/merchant',
    summary: 'Change what customers see of the merchant',
    auth: keyed('merchant:write'),
    body: ChangedMerchant,
    answer: Merchant,
    receipt: MerchantReceipt,
    handler: (context, body) =>
      billing.merchantProfiles.change(context, {
        legalName: body.legal_name,
        address: body.address,
        taxId: body.tax_id,
        supportContact: body.support_contact,
        terms: body.terms,
        logo: body.logo,
        customerMails: body.customer_mails,
        noticesTo: body.notices_to,
      }),
  }),
  route({
    method: 'GET',
    path: '/merchant',
    summary: 'Show what customers see of the merchant',
    auth: keyed('merchant:read'),
    query: t.type(momentQuery),
    answer: Merchant,
    handler: ({ principal, query }) => answerOf(readableAt(billing, query).merchantProfiles.show(principal())),
  }),
]
