import * as t from 'io-ts'
import { orNull } from '../shared/branded.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Text } from '../shared/text.ts'
import { minuteMs, PositiveCount, positiveCount, secondMs, UnixMs, unixMs } from '../shared/units.ts'

/** One observation that went into a quote: `rate` as the decimal text its source gave. */
export const Rate = strict({ source: Text, pair: Text, rate: Text, observedAt: UnixMs }, 'Rate')
export type Rate = t.TypeOf<typeof Rate>

/**
 * What the price is in the settlement asset, for the time [validFrom, validUntil).
 * `ordinal` counts the quotes of a checkout from 1. `excessFloor` is what 0.10 USD is in the asset at that rate; null
 * where there is no rate, because the price is stated in the asset itself.
 */
export const Quote = strict(
  {
    ordinal: PositiveCount,
    amount: Stroops,
    validFrom: UnixMs,
    validUntil: UnixMs,
    excessFloor: orNull(Stroops),
    rates: t.readonlyArray(Rate),
  },
  'Quote',
)
export type Quote = t.TypeOf<typeof Quote>

/** A quote that a handler has obtained and that a checkout may issue. */
export type NewQuote = {
  readonly amount: Stroops
  readonly pegged: boolean
  readonly excessFloor: Stroops | null
  readonly rates: ReadonlyArray<Rate>
}

/** How long a quote holds: pegged assets move little. */
export const quoteLifetimeMs = (pegged: boolean): number => (pegged ? 15 : 5) * minuteMs

/** Issues a quote from a moment on, for its lifetime or up to an earlier end. */
export const issued = (
  { amount, pegged, excessFloor, rates }: NewQuote,
  earlier: ReadonlyArray<Quote>,
  at: UnixMs,
  end: UnixMs | null,
): Quote => {
  const lapse = at + quoteLifetimeMs(pegged)
  const validUntil = unixMs(end === null ? lapse : Math.min(lapse, end))
  return { ordinal: positiveCount(earlier.length + 1), amount, validFrom: at, validUntil, excessFloor, rates }
}

/** A payment under way when its quote ended is still judged by it. */
const quoteGraceMs = 2 * minuteMs

const lowest = (quotes: ReadonlyArray<Quote>): Quote | null =>
  quotes.reduce<Quote | null>((best, quote) => (best === null || quote.amount < best.amount ? quote : best), null)

/** Ledgers close at whole seconds: a ledger of the second in which a quote was issued has seen it. */
const wholeSecond = (at: UnixMs): number => at - (at % secondMs)

/** The lowest quote that is valid at a moment; null if none is. */
export const lowestValid = (quotes: ReadonlyArray<Quote>, at: UnixMs): Quote | null =>
  lowest(quotes.filter(({ validFrom, validUntil }) => wholeSecond(validFrom) <= at && at < validUntil))

/** The lowest quote that was valid, or had ended at most two minutes before, when a ledger closed; null if none. */
export const judging = (quotes: ReadonlyArray<Quote>, closedAt: UnixMs): Quote | null =>
  lowest(
    quotes.filter(
      ({ validFrom, validUntil }) => wholeSecond(validFrom) <= closedAt && closedAt <= validUntil + quoteGraceMs,
    ),
  )
