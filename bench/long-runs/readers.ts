import type { Asking } from '../many-processes/asking.ts'
import type { Shop } from '../many-processes/shop.ts'

const customers = 500

/** Those who ask a shop what it holds, and now and then open a checkout that nobody pays. */
export const openReaders = async (
  { insist }: Pick<Asking, 'insist'>,
  shop: Pick<Shop, 'orders'>,
  subscriptions: () => ReadonlyArray<string>,
  random: () => number,
) => {
  const wrong: Array<string> = []
  const dataOf = async (...request: Parameters<Asking['insist']>) => {
    const { status, body } = await insist(...request)
    if (status !== 200) throw new Error(`${request[0]} was answered ${status} ${JSON.stringify(body)}`)
    return body.data ?? body
  }
  const book = { name: 'A book', type: 'one_time', currency_code: 'EUR', price_amount: 12.5 }
  const { id: bookId } = await dataOf('/product', { body: book })
  const ids: Array<string> = []
  for (let n = 0; n < customers; n += 1)
    ids.push((await dataOf('/customers', { body: { email: `c${n}@shop.example`, name: 'Ada' } })).id)
  const oneOf = <A>(all: ReadonlyArray<A>): A | undefined => all[Math.floor(random() * all.length)]
  const read: ReadonlyArray<() => Promise<unknown>> = [
    () => dataOf(`/customers/${oneOf(ids)}/access/${bookId}`),
    () => dataOf(`/customers/${oneOf(ids)}`),
    () => dataOf(`/payment?limit=20`),
    () => dataOf(`/customers?limit=100&starting_after=${oneOf(ids)}`),
    () => dataOf(`/subscriptions?customer_id=${oneOf(ids)}`),
    () => dataOf('/events?limit=20'),
    () => dataOf('/balance'),
    () => dataOf('/checkout?type=direct', { body: { amount: 3, currency_code: 'XLM' } }),
    async () => {
      const { paymentId = null } = oneOf(shop.orders) ?? {}
      if (paymentId === null) return
      const { status } = await dataOf(`/payment/${paymentId}`)
      if (status !== 'confirmed' && !/refund/.test(status)) throw new Error(`${paymentId} is ${status}`)
    },
    // A member has money, so renewals never end the access.
    async () => {
      const id = oneOf(subscriptions())
      if (id === undefined) return
      const { customer_id, product_id } = await dataOf(`/subscriptions/${id}`)
      const { has_access } = await dataOf(`/customers/${customer_id}/access/${product_id}`)
      if (has_access !== true) throw new Error(`the member with ${id} has no access`)
    },
  ]
  return {
    wrong,
    /** One question. */
    ask: async (): Promise<void> => {
      try {
        await oneOf(read)?.()
      } catch (cause) {
        wrong.push(String(cause))
      }
    },
  }
}
