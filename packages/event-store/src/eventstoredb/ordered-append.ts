import type { JsonObject } from '@quittance/domain'
import type { StoredEvent } from '../chain.ts'
import type { Head } from '../port.ts'

/** Sealed events that follow a head. `data` is what `stored.data` is the text of. */
export type OrderedAppend = {
  readonly stream: string
  readonly head: Head
  readonly events: ReadonlyArray<{ readonly stored: StoredEvent; readonly data: JsonObject }>
}

export type OrderedOutcome = {
  /** How many of the appends, from the first on, are known to be written, and in this order. */
  readonly written: number
  /** The position of the last event of those; null without any. */
  readonly position: bigint | null
  /**
   * Why the next one is not known to be written; null where there is none. Later ones may be written, but for
   * `conflict` nothing was sent after the answer.
   */
  readonly failure:
    | null
    | { readonly _tag: 'conflict' }
    | { readonly _tag: 'disordered' }
    | { readonly _tag: 'unknown'; readonly cause: unknown }
}
