import type { MovementName } from './name-movement.ts'

/**
 * The name under which a movement is counted: `own` for the merchant's or the operator's own doing, `unexplained` where only
 * an exception accounts for it.
 */
export type NameTag = MovementName['_tag'] | 'own' | 'unexplained'

/** How many changes of balances were named, by their tags. */
export type NameCounts = Readonly<Record<NameTag, number>>

export const nameCounter = () => {
  const counts: Record<NameTag, number> = {
    set_up: 0,
    payment: 0,
    awaiting_rate: 0,
    exception: 0,
    funding: 0,
    refund: 0,
    return: 0,
    payout: 0,
    fee: 0,
    own: 0,
    unexplained: 0,
  }
  return {
    count: (names: ReadonlyArray<NameTag>): void => {
      for (const name of names) counts[name] += 1
    },
    counts: (): NameCounts => ({ ...counts }),
  }
}
