import { access, credits, customers, wallets } from './customers.ts'
import { events, webhooks } from './events.ts'
import { catalogue, merchant, reports, settlement } from './merchant.ts'
import { approvals, exceptions, payouts } from './payouts.ts'
import { portal } from './portal.ts'
import { products } from './products.ts'
import { checkouts, paying, payments, refunds } from './selling.ts'
import { sandbox, service } from './service.ts'
import { priceChanges, subscriptions } from './subscriptions.ts'
import { apiKeys, members, sessions } from './team.ts'
import type { Section, Words } from './words.ts'

/** The sections of the reference, in the order in which it shows them. */
export const sections: ReadonlyArray<Section> = [
  products,
  customers,
  access,
  wallets,
  credits,
  checkouts,
  paying,
  payments,
  refunds,
  subscriptions,
  priceChanges,
  portal,
  payouts,
  approvals,
  exceptions,
  events,
  webhooks,
  merchant,
  settlement,
  reports,
  sessions,
  members,
  apiKeys,
  catalogue,
  service,
  sandbox,
]

/** The words for an operation, and the section that it is in. `insteadOf`: the path to use rather than this alias. */
type Found = { readonly section: Section; readonly words: Words; readonly insteadOf: string | null }

const found = new Map<string, Found>(
  sections.flatMap((section) =>
    Object.entries(section.operations).flatMap(([operation, words]) => [
      [operation, { section, words, insteadOf: null }] as const,
      ...Object.entries(section.aliases ?? {}).map(([alias, path]) => {
        const [method, served = ''] = operation.split(' ')
        return [`${method} ${served.replace(path, alias)}`, { section, words, insteadOf: served }] as const
      }),
    ]),
  ),
)

/** The words for a route, by its method and path. Throws where nobody has written any. */
export const wordsFor = (method: string, path: string): Found => {
  const words = found.get(`${method} ${path}`)
  if (words === undefined)
    throw new Error(`the reference has no words for ${method} ${path}: see wire/openapi/operations`)
  return words
}
