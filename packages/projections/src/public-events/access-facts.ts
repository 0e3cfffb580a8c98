import { accountName, type BooksOf, type CustomerId, type CustomerMerge, type ProductType } from '@quittance/domain'
import { grants, keep, mergedFrom, mergedInto, type Recall, soldAs } from './memory.ts'
import { allOf, nothing, type Publication, publish, remember } from './publication.ts'

/** How products of each type entitle a customer: by a payment, by units that are left, or by a subscription. */
type Entitling = Readonly<Record<ProductType, 'payment' | 'units' | 'subscription'>>
const entitling: Entitling = { one_time: 'payment', metered: 'units', subscription: 'subscription' }

export const isEntitledBy = (recall: Recall, productId: string, by: Entitling[ProductType]): boolean => {
  const productType = recall(soldAs, productId)
  return productType !== null && entitling[productType] === by
}

/** Whether access begins or ends. */
export const accessChange = (account: string, had: boolean, has: boolean): Publication => {
  if (had === has) return nothing
  return publish(has ? 'access.granted' : 'access.revoked', account)
}

/**
 * One more grant, or one less, entitles a customer to a product. Access begins with the first and ends with the last of all
 * who are the same person, and is the customer's who remains of them.
 */
export const grantChanged = (
  recall: Recall,
  { customerId, productId }: BooksOf,
  grant: string,
  isGranting: boolean,
): Publication => {
  const owner = remaining(recall, customerId)
  const own = accountName({ customerId: owner, productId })
  const accounts = [
    own,
    ...(recall(mergedFrom, owner) ?? []).map((each) => accountName({ customerId: each, productId })),
  ]
  const before = accounts.map((account) => ({ account, known: recall(grants, account) ?? [] }))
  const count = before.reduce((sum, { known }) => sum + known.length, 0)
  const holder = before.find(({ known }) => known.includes(grant))
  if ((holder !== undefined) === isGranting) return nothing
  const { account, known } = holder ?? { account: own, known: recall(grants, own) ?? [] }
  const after = isGranting ? [...known, grant] : known.filter((each) => each !== grant)
  return allOf(
    accessChange(own, count > 0, count + after.length - known.length > 0),
    remember(keep(grants, account, after.length > 0 ? after : null)),
  )
}

const remaining = (recall: Recall, customerId: string): string => {
  const into = recall(mergedInto, customerId)
  return into === null ? customerId : remaining(recall, into)
}

/** Two customers are one from now on. What entitles either stays where it is remembered. */
export const customersMerged = (recall: Recall, { from, into }: CustomerMerge): Publication => {
  const of = (id: CustomerId) => recall(mergedFrom, id) ?? []
  return allOf(
    publish('customer.merged', from),
    remember(keep(mergedInto, from, into), keep(mergedFrom, into, [...of(into), from, ...of(from)])),
  )
}
