import { CorruptStream } from '../shared/decider.ts'
import { type PositiveCount, positiveCount } from '../shared/units.ts'
import type { ProductDetails, ProductEvent } from './events.ts'

/** `details` holds the newest price; subscriptions and open checkouts carry the price they were made at. */
export type ProductState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'active' | 'archived'
      readonly details: ProductDetails
      readonly priceVersion: PositiveCount
    }

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
