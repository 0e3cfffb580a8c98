import * as E from 'fp-ts/lib/Either.js'
import type { Outcome, PendingAppend } from './append.ts'

// Bounded, since appends that are never resent would stay forever.
const rememberedOutcomes = 10_000

const nameOf = ({ stream, events }: PendingAppend): string => `${stream} ${events.at(-1)?.stored.hash}`

/**
 * Keeps an unknown outcome unknown until a resent append is judged: that a later attempt wrote nothing says nothing about
 * the one before it.
 */
export const openOutcomes = (): ((append: PendingAppend, outcome: Outcome) => Outcome) => {
  const open = new Set<string>()
  return (append, outcome) => {
    const failure = E.isLeft(outcome) ? outcome.left : null
    if (failure?._tag === 'OutcomeUnknown') {
      if (open.size >= rememberedOutcomes) open.clear()
      open.add(nameOf(append))
      return outcome
    }
    if (open.size === 0 || !open.has(nameOf(append))) return outcome
    if (failure?._tag === 'StoreUnavailable') return E.left({ _tag: 'OutcomeUnknown', cause: failure.cause })
    open.delete(nameOf(append))
    return outcome
  }
}
