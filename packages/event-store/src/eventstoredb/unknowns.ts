import type { SealedAppend } from './delivery.ts'
import type { EventStoreDbMetrics } from './metrics.ts'

export type Unknowns = {
  /** Whether the same append was answered as unknown, and not resolved since. */
  readonly has: (append: SealedAppend) => boolean
  /** Counts it, unless it was unknown already: sending it again makes no second one. */
  readonly remember: (append: SealedAppend) => void
  /** Called with each outcome that is known; counts it where the same append was answered as unknown before. */
  readonly resolve: (append: SealedAppend, isWritten: boolean) => void
}

// What is never sent again would stay for ever.
const rememberedUnknowns = 10_000

const nameOf = ({ stream, events }: SealedAppend): string => `${stream} ${events.at(-1)?.recorded.metadata.hash}`

/** Counts how appends of unknown outcome end when they are sent again. */
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
