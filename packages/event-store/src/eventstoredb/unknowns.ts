import type { SealedAppend } from './delivery.ts'
import type { EventStoreDbMetrics } from './metrics.ts'

export type Unknowns = {
  /** Whether the same append is answered as unknown and not resolved since. */
  readonly has: (append: SealedAppend) => boolean
  /** Counts an unknown outcome, once per append. */
  readonly remember: (append: SealedAppend) => void
  /** Called with each known outcome; counts it if the append was unknown before. */
  readonly resolve: (append: SealedAppend, isWritten: boolean) => void
}

// Bounded, since appends that are never resent would stay forever.
const rememberedUnknowns = 10_000

const nameOf = ({ stream, events }: SealedAppend): string => `${stream} ${events.at(-1)?.recorded.metadata.hash}`

/** Counts how unknown outcomes resolve on resending. */
export const unknowns = (metrics: EventStoreDbMetrics): Unknowns => {
  const open = new Set<string>()
  return {
    has: (append) => open.size > 0 && open.has(nameOf(append)),
    remember: (append) => {
      const name = nameOf(append)
      if (open.has(name)) return
      metrics.unknownOutcomes += 1
      if (open.size >= rememberedUnknowns) open.clear()
      open.add(name)
    },
    resolve: (append, isWritten) => {
      if (open.size === 0 || !open.delete(nameOf(append))) return
      if (isWritten) metrics.unknownResolvedAsWritten += 1
      else metrics.unknownResolvedAsRefused += 1
    },
  }
}
