import { type AccountId, minuteMs, secondMs } from '@quittance/domain'
import type { SettlementTrouble } from '../outgoing/trouble.ts'

const firstPauseMs = 5 * secondMs
const longestPauseMs = 10 * minuteMs

/** What a process remembers of an account that is not set up yet. `stamp` names what was wanted when it was looked at. */
type Visit = {
  readonly stamp: string
  readonly nextAt: number
  readonly pauseMs: number
  readonly trouble: SettlementTrouble | null
}

/**
 * When accounts are looked at again that are not set up: with pauses that grow, and at once when something has changed or
 * lumens have arrived. It is kept in memory: whoever starts anew looks at each once.
 */
export interface Pauses {
  /** From when on it is its turn, by the close times of ledgers (Unix milliseconds); 0 where it was not looked at yet. */
  readonly nextAt: (account: AccountId, stamp: string) => number
  /** It has moved: it is looked at with the next ledger. */
  readonly moved: (account: AccountId, stamp: string, now: number) => void
  /** It cannot go on for now. */
  readonly stuck: (account: AccountId, stamp: string, now: number, trouble: SettlementTrouble | null) => void
  /** Lumens have arrived, or somebody has created it. */
  readonly wake: (account: AccountId) => void
  /** Nothing is left to do for it, for as long as this process lives. */
  readonly rest: (account: AccountId, stamp: string) => void
  readonly forget: (account: AccountId) => void
  /** What keeps them, as it was last met. */
  readonly troubles: () => ReadonlyArray<SettlementTrouble>
}

export const pauses = (): Pauses => {
  const visits = new Map<AccountId, Visit>()
  const known = (account: AccountId, stamp: string): Visit | null => {
    const visit = visits.get(account)
    return visit?.stamp === stamp ? visit : null
  }
  return {
    nextAt: (account, stamp) => known(account, stamp)?.nextAt ?? 0,
    moved: (account, stamp, now) => {
      visits.set(account, { stamp, nextAt: now + 1, pauseMs: known(account, stamp)?.pauseMs ?? 0, trouble: null })
    },
    stuck: (account, stamp, now, trouble) => {
      const before = known(account, stamp)?.pauseMs ?? 0
      const pauseMs = Math.min(Math.max(before * 2, firstPauseMs), longestPauseMs)
      visits.set(account, { stamp, nextAt: now + pauseMs, pauseMs, trouble })
    },
    wake: (account) => {
      const visit = visits.get(account)
      if (visit !== undefined) visits.set(account, { ...visit, nextAt: 0 })
    },
    rest: (account, stamp) => {
      visits.set(account, { stamp, nextAt: Number.POSITIVE_INFINITY, pauseMs: 0, trouble: null })
    },
    forget: (account) => {
      visits.delete(account)
    },
    troubles: () => [...visits.values()].flatMap(({ trouble }) => (trouble === null ? [] : [trouble])),
  }
}
