import { CustomerId, ProductId, ProductType, Units } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** Something that the feed has to know of events before, in other streams. */
export type Kind<A> = { readonly name: string; readonly codec: t.Type<A, unknown> }

/** Of a product: what it is sold as. */
export const soldAs: Kind<ProductType> = { name: 'product', codec: ProductType }
/** Of a payment whose checkout has found its price covered. */
export const covered: Kind<true> = { name: 'covered', codec: t.literal(true) }
/** Of a payment: the customer and the product that it paid for. */
export const bought: Kind<{ readonly customerId: CustomerId; readonly productId: ProductId }> = {
  name: 'bought',
  codec: t.strict({ customerId: CustomerId, productId: ProductId }),
}
/** Of a customer and a product (`cus_…/prod_…`): what entitles the one to the other, by their ids. */
export const grants: Kind<ReadonlyArray<string>> = { name: 'grants', codec: t.readonlyArray(t.string) }
/** Of a merged customer: the one that it was merged into. */
export const mergedInto: Kind<CustomerId> = { name: 'merged into', codec: CustomerId }
/** Of a customer: those that were merged into it, also through others. */
export const mergedFrom: Kind<ReadonlyArray<CustomerId>> = { name: 'merged from', codec: t.readonlyArray(CustomerId) }
/** Of a customer and a product: the units that are left to consume. */
export const left: Kind<Units> = { name: 'left', codec: Units }

/** A thing to remember of `id`, as JSON text; null forgets it. */
export type Kept = { readonly name: string; readonly text: string | null }

/** What is known of `id`; null where nothing is. Errors: throws where what was kept is not of this kind, a defect. */
export type Recall = <A>(kind: Kind<A>, id: string) => A | null

export const keep = <A>({ name, codec }: Kind<A>, id: string, value: A | null): Kept => ({
  name: nameOf(name, id),
  text: value === null ? null : JSON.stringify(codec.encode(value)),
})

/** Recalls what was kept under a name. */
export const recallFrom =
  (find: (name: string) => string | null): Recall =>
  ({ name, codec }, id) => {
    const text = find(nameOf(name, id))
    if (text === null) return null
    const decoded = codec.decode(JSON.parse(text))
    if (E.isRight(decoded)) return decoded.right
    throw new Error(`what is remembered as ${nameOf(name, id)} is damaged`)
  }

/** Sorts behind every place in the feed, which begin with a digit. */
const nameOf = (kind: string, id: string): string => `${kind} ${id}`
