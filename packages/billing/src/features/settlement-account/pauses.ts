import { type AccountId, minuteMs, secondMs } from '@quittance/domain'
import type { SettlementTrouble } from '../outgoing/trouble.ts'

const firstPauseMs = 5 * secondMs
const longestPauseMs = 10 * minuteMs

/**
 * A process's memory of an account that is not set up yet. `stamp` identifies the set-up that was wanted at that visit.
 */
type Visit = {
  readonly stamp: string
  readonly nextAt: number
  readonly pauseMs: number
  readonly trouble: SettlementTrouble | null
}

/**
 * When to visit accounts again that are not set up: in growing pauses, and at once after a change or when lumens
 * arrive. It is kept in memory: a new process visits each account once.
 */
export interface Pauses {
  /** The ledger close time from which the account is due (Unix milliseconds); 0 before the first visit. */
  readonly nextAt: (account: AccountId, stamp: string) => number
  /** The account has moved on: it is due with the next ledger. */
  readonly moved: (account: AccountId, stamp: string, now: number) => void
  /** The account cannot go on for now. */
  readonly stuck: (account: AccountId, stamp: string, now: number, trouble: SettlementTrouble | null) => void
  /** Lumens have arrived, or the account was created. */
  readonly wake: (account: AccountId) => void
  /** Nothing is left to do for the account while this process lives. */
  readonly rest: (account: AccountId, stamp: string) => void
  readonly forget: (account: AccountId) => void
  /** The last known trouble of each account. */
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
