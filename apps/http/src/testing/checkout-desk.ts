import type { HttpResponse } from './client.ts'
import { type Service, startService } from './service.ts'

/** A service that sells, and requests for its checkouts. */
export type CheckoutDesk = {
  readonly service: Service
  /** A book. */
  readonly productId: string
  /** A checkout of the book, or of another product. */
  readonly sell: (body?: object) => Promise<HttpResponse>
  /** A direct checkout. */
  readonly charge: (body: object | string) => Promise<HttpResponse>
  /** A new subscription product. */
  readonly plan: () => Promise<string>
}

export const openCheckoutDesk = async (): Promise<CheckoutDesk> => {
  const service = await startService()
  const newProduct = async (product: object): Promise<string> =>
    (await service.api('/product', { body: product })).body.data.id
  const productId = await newProduct({ name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 })
  return {
    service,
    productId,
    sell: (body = {}) => service.api('/checkout?type=product', { body: { product_id: productId, ...body } }),
    charge: (body) => service.api('/checkout?type=direct', { body }),
    plan: () =>
      newProduct({
        name: 'P',
        type: 'subscription',
        recurring_period: 'month',
        currency_code: 'EUR',
        price_amount: 1,
      }),
  }
}
