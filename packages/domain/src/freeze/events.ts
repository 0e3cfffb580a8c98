import * as t from 'io-ts'
import { fact, facts } from '../shared/fact.ts'
import { partial, strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { UnixMs } from '../shared/units.ts'

/**
 * What a freeze stops: new `sales`, `charges` on mandates, or `payouts` and everything else that pays money out of
 * settlement accounts. `everything` suspends a merchant: it stops all three, and the merchant's keys change nothing.
 */
export const FreezeScope = t.keyof({ sales: null, charges: null, payouts: null, everything: null }, 'FreezeScope')
export type FreezeScope = t.TypeOf<typeof FreezeScope>

/** Who stops or allows something, and why. Without `merchantId`, for all merchants of the installation. */
export const FreezeDecision = t.intersection(
  [strict({ scope: FreezeScope, by: Text, reason: Text, at: UnixMs }), partial({ merchantId: Text })],
  'FreezeDecision',
)
export type FreezeDecision = t.TypeOf<typeof FreezeDecision>

/** A merchant that is to sell nothing more, and whose keys change nothing from `refundsUntil` on. */
export const Closing = strict({ merchantId: Text, refundsUntil: UnixMs, by: Text, reason: Text, at: UnixMs }, 'Closing')
export type Closing = t.TypeOf<typeof Closing>

export const FreezeEvent = facts([
  fact('Frozen', FreezeDecision),
  fact('Unfrozen', FreezeDecision),
  fact('MerchantClosingBegun', Closing),
])
export type FreezeEvent = t.TypeOf<typeof FreezeEvent>
