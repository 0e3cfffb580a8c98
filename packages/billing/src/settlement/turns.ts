/** When merchants had their last turn: who was served longer ago comes first. Kept by the process; lost, all begin anew. */
export interface Turns {
  readonly of: (merchantId: string) => number
  /** These have just been served. */
  readonly served: (merchantIds: Iterable<string>) => void
}

export const openTurns = (): Turns => {
  const known = new Map<string, number>()
  let turn = 0
  return {
    of: (merchantId) => known.get(merchantId) ?? 0,
    served: (merchantIds) => {
      turn += 1
      for (const merchantId of merchantIds) known.set(merchantId, turn)
    },
  }
}
