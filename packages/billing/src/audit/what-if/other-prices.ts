import { type Environment, ProductId, readPrice, type UnixMs, unixMs } from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { existingProduct } from '../../features/customers/customer-and-product.ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import type { OtherPrice } from './other-rules.ts'

/** A price that no product here can have. */
export type OtherPriceRefused = {
  readonly _tag: 'OtherPriceRefused'
  readonly productId: string
  readonly why: 'no_product' | 'no_price'
}

type Asked = {
  readonly environment: Environment
  readonly from: UnixMs
  readonly prices?: ReadonlyArray<{
    readonly productId: string
    readonly amount: string
    readonly since: UnixMs | null
  }>
}

/** Reads other prices in the currencies of their products, which belong to one of the merchants. None counts before the range. */
export const otherPrices = async (
  store: Pick<EventStore, 'readStream'>,
  { environment, from, prices = [] }: Asked,
  merchants: ReadonlyArray<{ readonly id: string }>,
): Promise<E.Either<StoreUnavailable | OtherPriceRefused, ReadonlyArray<OtherPrice>>> => {
  const found: Array<OtherPrice> = []
  for (const { productId, amount, since } of prices) {
    const refused = (why: OtherPriceRefused['why']) =>
      E.left<OtherPriceRefused>({ _tag: 'OtherPriceRefused', productId, why })
    const product = await productOf(store, environment, merchants, productId)
    if (E.isLeft(product)) return product
    if (product.right === null) return refused('no_product')
    const { currency } = product.right.details.price
    const cents = readPrice({ amount, amountCents: null }, currency)
    if (E.isLeft(cents)) return refused('no_price')
    found.push({
      productId: decodeOrThrow(ProductId, productId),
      price: { currency, cents: cents.right },
      since: unixMs(Math.max(from, since ?? from)),
    })
  }
  return E.right(found)
}

const productOf = async (
  store: Pick<EventStore, 'readStream'>,
  environment: Environment,
  merchants: ReadonlyArray<{ readonly id: string }>,
  productId: string,
) => {
  for (const { id: merchantId } of merchants) {
    const found = await existingProduct({ store }, { merchantId, environment }, productId)
    if (E.isRight(found)) return E.right(found.right.row)
    if (found.left._tag !== 'ProductNotFound') return E.left(found.left)
  }
  return E.right(null)
}
