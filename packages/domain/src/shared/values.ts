/**
 * The values alone, as the client uses them.
 *
 * @module @quittance/domain/values
 */

// The values that also travel on the wire, for callers that need no aggregates.

export { AccountId, AssetId } from './asset.ts'
export { maximumCents } from './cents.ts'
export { CurrencyCode } from './currency.ts'
export { Environment } from './environment.ts'
export { type EventResource, type EventTypeOf, eventTypes, isEventOf } from './event-types.ts'
export { isLogo, isProfileAddress, isProfileLine, mostAddressCharacters, mostLogoCharacters } from './profile.ts'
export { Stroops, stroopsFromDecimal } from './stroops.ts'
export { HttpUrl, Text } from './text.ts'
export { longestTrialDays } from './trial-days.ts'
export { Count, count, PositiveCount, positiveCount, UnixMs } from './units.ts'
