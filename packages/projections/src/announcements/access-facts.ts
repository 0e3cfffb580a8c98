import { accountName, type BooksOf, type ProductType } from '@quittance/domain'
import { grants, keep, type Recall, soldAs } from './memory.ts'
import { both, nothing, type Telling, tell } from './told.ts'

/** What may entitle a customer to what is sold so: a payment, the units that are left, or a subscription. */
type Entitling = Readonly<Record<ProductType, 'payment' | 'units' | 'subscription'>>
const entitling: Entitling = { one_time: 'payment', metered: 'units', subscription: 'subscription' }

export const isEntitledBy = (recall: Recall, productId: string, by: Entitling[ProductType]): boolean => {
  const productType = recall(soldAs, productId)
  return productType !== null && entitling[productType] === by
}

/** What is told where somebody had access before, and has now. */
export const accessTold = (account: string, had: boolean, has: boolean): Telling => {
  if (had === has) return nothing
  return tell(has ? 'access.granted' : 'access.revoked', account)
}

/** One more thing, or one less, entitles a customer to a product: told is the first that does, and the last that did. */
export const grantChanged = (recall: Recall, of: BooksOf, grant: string, isGranting: boolean): Telling => {
  const account = accountName(of)
  const before = recall(grants, account) ?? []
  if (before.includes(grant) === isGranting) return nothing
  const after = isGranting ? [...before, grant] : before.filter((each) => each !== grant)
  return both(accessTold(account, before.length > 0, after.length > 0), {
    told: [],
    kept: [keep(grants, account, after.length > 0 ? after : null)],
  })
}
