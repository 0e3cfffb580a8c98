import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { ProductCommand } from './commands.ts'
import { decide } from './decide.ts'
import { ProductEvent } from './events.ts'
import type { ProductRejection } from './rejections.ts'
import { evolve, initial, type ProductState } from './state.ts'

/** The rules of a product, and how its events are written and read. */
export const Product: Aggregate<ProductCommand, ProductEvent, ProductState, ProductRejection> = {
  category: 'product',
  decider: { initial, evolve, decide },
  events: eventFormat(ProductEvent),
}

export type { ProductCommand } from './commands.ts'
export { ProductDetails, type ProductEvent, ProductType, RecurringPeriod } from './events.ts'
export type { ProductRejection } from './rejections.ts'
export { ProductRecord, type ProductState } from './state.ts'
export { problemWithTrial, type TrialRejection } from './trial.ts'
