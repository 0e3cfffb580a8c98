import { accountName } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { balanceOf } from '../../features/credits/books.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import {
  type CreditBalanceResource,
  type CreditTransactionResource,
  creditBalanceResource,
  creditTransactionResource,
} from '../../resources/credits.ts'
import type { Services } from '../../services/services.ts'

/** A customer's credits of a product: what is left, and the newest entries; `has_more` if there are older ones. */
export type ExportedCredits = CreditBalanceResource & {
  readonly product_id: string
  readonly transactions: ReadonlyArray<CreditTransactionResource>
  readonly has_more: boolean
}

export const exportedCredits = async (
  services: Pick<Services, 'store' | 'readModels'>,
  scope: Scope,
  customerId: string,
  productIds: Iterable<string>,
  limit: number,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<ExportedCredits>>> => {
  const { creditTransactions, products } = services.readModels
  const credits: Array<ExportedCredits> = []
  for (const productId of productIds) {
    const of = { customerId, productId }
    const { rows, hasMore } = await creditTransactions.page({ ...scope, listedUnder: accountName(of), limit })
    const product = await products.withId(productId)
    if (rows.length === 0 || product === null) continue
    const balance = await balanceOf(services, scope, of)
    if (E.isLeft(balance)) return balance
    credits.push({
      product_id: productId,
      ...creditBalanceResource(product.row.details, balance.right),
      transactions: rows.map(creditTransactionResource),
      has_more: hasMore,
    })
  }
  return E.right(credits)
}
