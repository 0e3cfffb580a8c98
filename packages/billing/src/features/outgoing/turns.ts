/** When merchants had their last turn: who was served longer ago comes first. Kept by the process; lost, all begin anew. */
export interface Turns {
  readonly of: (merchantId: string) => number
  /** These have just been served. */
  readonly served: (merchantIds: Iterable<string>) => void
  /** Whose intents wait, found once for each `asOf`: it costs as much as waits. */
  readonly waiting: (asOf: string, find: () => ReadonlyArray<string>) => ReadonlyArray<string>
}

export const openTurns = (): Turns => {
  const known = new Map<string, number>()
  let turn = 0
  let found: { readonly asOf: string; readonly merchantIds: ReadonlyArray<string> } | null = null
  return {
    of: (merchantId) => known.get(merchantId) ?? 0,
    waiting: (asOf, find) => {
      if (found?.asOf !== asOf) found = { asOf, merchantIds: find() }
      return found.merchantIds
    },
    served: (merchantIds) => {
      turn += 1
      for (const merchantId of merchantIds) known.set(merchantId, turn)
    },
  }
}
