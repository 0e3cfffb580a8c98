import type * as t from 'io-ts'
import { byStatus } from '../shared/by-status.ts'
import { CorruptStream } from '../shared/decider.ts'
import { PositiveCount, positiveCount } from '../shared/units.ts'
import { ProductDetails, type ProductEvent } from './events.ts'

/** `details` holds the newest price; subscriptions and open checkouts carry the price they were made at. */
const product = { details: ProductDetails, priceVersion: PositiveCount }
/** What is kept of a product once it exists. */
export const ProductRecord = byStatus({ active: product, archived: product }, 'ProductRecord')
export type ProductRecord = t.TypeOf<typeof ProductRecord>
/** What the events of its stream say about a product. */
export type ProductState = { readonly status: 'absent' } | ProductRecord

export const initial: ProductState = { status: 'absent' }

export const evolve = (state: ProductState, { type, data }: ProductEvent): ProductState => {
  if (type === 'ProductCreated') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'active', details: data, priceVersion: positiveCount(1) }
  }
  if (state.status === 'absent') throw new CorruptStream(type, state.status)
  switch (type) {
    case 'ProductDetailsChanged':
      return { ...state, details: { ...state.details, ...data } }
    case 'ProductRepriced': {
      const { priceVersion, cents, recurringPeriod } = data
      const price = { ...state.details.price, cents }
      return { ...state, details: { ...state.details, price, recurringPeriod }, priceVersion }
    }
    case 'ProductArchived':
      return { ...state, status: 'archived' }
    case 'ProductRestored':
      return { ...state, status: 'active' }
  }
}
