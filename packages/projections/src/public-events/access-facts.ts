import { accountName, type BooksOf, type ProductType } from '@quittance/domain'
import { grants, keep, type Recall, soldAs } from './memory.ts'
import { allOf, nothing, type Publication, publish } from './publication.ts'

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

/** One more grant, or one less, entitles a customer to a product. Access begins with the first and ends with the last. */
export const grantChanged = (recall: Recall, of: BooksOf, grant: string, isGranting: boolean): Publication => {
  const account = accountName(of)
  const before = recall(grants, account) ?? []
  if (before.includes(grant) === isGranting) return nothing
  const after = isGranting ? [...before, grant] : before.filter((each) => each !== grant)
  return allOf(accessChange(account, before.length > 0, after.length > 0), {
    drafts: [],
    kept: [keep(grants, account, after.length > 0 ? after : null)],
  })
}
