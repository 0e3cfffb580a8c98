/** The order in which merchants were served last. Kept in memory; after a restart, all begin anew. */
export interface Turns {
  readonly lastTurnOf: (merchantId: string) => number
  readonly served: (merchantIds: Iterable<string>) => void
  /** Whether payouts go first now: they had to wait when other money went out last. */
  readonly payoutsFirst: () => boolean
  readonly sent: (what: { readonly payouts: boolean; readonly others: boolean; readonly payoutsWait: boolean }) => void
  /** The merchants whose intents wait; `find` costs as much as waits, so it runs once for each `asOf`. */
  readonly waiting: (asOf: string, find: () => Promise<ReadonlyArray<string>>) => Promise<ReadonlyArray<string>>
}

export const openTurns = (): Turns => {
  const known = new Map<string, number>()
  let turn = 0
  let payoutsFirst = false
  let found: { readonly asOf: string; readonly merchantIds: ReadonlyArray<string> } | null = null
  return {
    lastTurnOf: (merchantId) => known.get(merchantId) ?? 0,
    waiting: async (asOf, find) => {
      if (found?.asOf !== asOf) found = { asOf, merchantIds: await find() }
      return found.merchantIds
    },
    payoutsFirst: () => payoutsFirst,
    sent: ({ payouts, others, payoutsWait }) => {
      if (payouts || !payoutsWait) payoutsFirst = false
      else if (others) payoutsFirst = true
    },
    served: (merchantIds) => {
      turn += 1
      for (const merchantId of merchantIds) known.set(merchantId, turn)
    },
  }
}
