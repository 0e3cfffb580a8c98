import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { PriceChangeCommand } from './commands.ts'
import { decide } from './decide.ts'
import { PriceChangeEvent } from './events.ts'
import type { PriceChangeRejection } from './rejections.ts'
import { evolve, initial, type PriceChangeState } from './state.ts'

/** A new price for subscribers that a product has. Each subscription records its own notice, consent and change. */
export const PriceChange: Aggregate<PriceChangeCommand, PriceChangeEvent, PriceChangeState, PriceChangeRejection> = {
  category: 'price_change',
  decider: { initial, evolve, decide },
  events: eventFormat(PriceChangeEvent),
}

export type { PriceChangeCommand } from './commands.ts'
export { afterNotice } from './decide.ts'
export type { PriceChangeEvent } from './events.ts'
export { type PriceChangeDetails, WithoutConsent } from './events.ts'
export type { PriceChangeRejection } from './rejections.ts'
export { PriceChangeRecord, type PriceChangeState } from './state.ts'
