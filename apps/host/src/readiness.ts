import type { Environment } from '@quittance/domain'
import type { CursorStore, LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { ReadProgress } from './log-progress.ts'

/** How far a ledger was walked, and the newest that has closed; null where nobody can say. `lag` is in ledgers. */
export type LedgerReadiness = {
  readonly walked: number | null
  readonly latest: number | null
  readonly lag: number | null
}

/** Whether requests can be answered, with numbers. `position` counts the events of the log; null: it cannot be read. */
export type Readiness = {
  readonly status: 'ready' | 'not_ready'
  readonly store: { readonly position: number } | null
  readonly read_models: { readonly lag: number } | null
  /** Null where an environment is not configured. */
  readonly ledgers: Readonly<Record<Environment, LedgerReadiness | null>>
}

/** What is asked of one environment's ledger. */
export type WatchedLedger = { readonly gateway: LedgerGateway; readonly cursor: CursorStore<never> }

export const readinessOf =
  (readProgress: ReadProgress, ledgers: Readonly<Record<Environment, WatchedLedger | null>>) =>
  async (): Promise<Readiness> => {
    const [log, testnet, mainnet] = await Promise.all([
      readProgress(),
      readLedger(ledgers.testnet),
      readLedger(ledgers.mainnet),
    ])
    const isAnswering = [testnet, mainnet].every((ledger) => ledger === null || ledger.latest !== null)
    return {
      status: log !== null && isAnswering ? 'ready' : 'not_ready',
      store: log === null ? null : { position: log.position },
      read_models: log === null ? null : { lag: log.lag },
      ledgers: { testnet, mainnet },
    }
  }

const readLedger = async (ledger: WatchedLedger | null): Promise<LedgerReadiness | null> => {
  if (ledger === null) return null
  const cursor = await ledger.cursor.load()()
  const walked = E.isRight(cursor) ? (cursor.right?.sequence ?? null) : null
  const head = await ledger.gateway.latestLedger()()
  const latest = E.isRight(head) ? head.right.sequence : null
  return { walked, latest, lag: walked === null || latest === null ? null : latest - walked }
}
