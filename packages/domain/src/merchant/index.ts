import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { MerchantCommand } from './commands.ts'
import { decide } from './decide.ts'
import { MerchantEvent } from './events.ts'
import type { MerchantRejection } from './rejections.ts'
import { evolve, initial, type MerchantState } from './state.ts'

/** The rules of a merchant, and how its events are written and read. */
export const Merchant: Aggregate<MerchantCommand, MerchantEvent, MerchantState, MerchantRejection> = {
  category: 'merchant',
  decider: { initial, evolve, decide },
  events: eventFormat(MerchantEvent),
}

export type { MerchantCommand } from './commands.ts'
export {
  AcceptedAsset,
  ApiKey,
  Departure,
  IngestedThrough,
  type KeyMaker,
  type MerchantEvent,
  OpeningBalance,
  Policy,
  RatesAfter,
  UnknownLumens,
} from './events.ts'
export type { MerchantRejection } from './rejections.ts'
export type { MerchantState } from './state.ts'
export { defaultPolicy } from './state.ts'
export { trustedAssets } from './trusted-assets.ts'
