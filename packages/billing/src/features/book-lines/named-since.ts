import type { MovementName } from './name-movement.ts'

/**
 * By which name a movement goes in counts: `own` where it is the merchant's or the operator's own doing, `unexplained` where
 * an exception stands for it and nothing else does.
 */
export type NameTag = MovementName['_tag'] | 'own' | 'unexplained'

/** How many movements go by each name. */
export type NameCounts = Readonly<Record<NameTag, number>>

/** Counts by name, from nothing on. */
export const namedSince = () => {
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
