import type { Halt, Worker } from '@quittance/billing'
import { type Environment, secondMs, type UnixMs } from '@quittance/domain'
import type { CursorStore, LedgerGateway } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { ifStoreAnswers } from './if-store-answers.ts'
import { inTime } from './in-time.ts'
import type { Progress, ReadProgress } from './log-progress.ts'
import type { WritesReadiness } from './writes-readiness.ts'

/**
 * The last ingested ledger and the newest closed one; null when unknown. `lag` is in ledgers, and 0 when the node that
 * answers is behind.
 */
export type LedgerReadiness = {
  readonly walked: number | null
  readonly latest: number | null
  readonly lag: number | null
  /**
   * How many seconds this machine's clock is ahead of the newest ledger's close: normally a few, the time between two
   * ledgers. A negative number means that the clock is late.
   */
  readonly clock_ahead: number | null
  /**
   * Why ingestion has halted, and at which ledger; an operator must act. Only the log names the nodes. All processes that share a
   * store show what the one that ingests has found.
   */
  readonly halted: { readonly reason: string; readonly ledger: number } | null
  /** Null until a node has said which protocol the network runs. */
  readonly protocol: ProtocolReadiness | null
}

/**
 * The protocol of the network (`current`), the newest one that this release reads, the one that a node is `prepared` for, and
 * what the operator has announced. `unread`: why ingestion has halted, and until when nodes keep that ledger. Times
 * are ISO 8601.
 */
export type ProtocolReadiness = {
  readonly current: number
  readonly readable: number
  readonly prepared: number | null
  /** How many ledgers were passed over, or transactions of them, because they could not be decoded. */
  readonly passed_over: number
  readonly announced: { readonly protocol: number; readonly at: string } | null
  readonly unread: { readonly ledger: number; readonly cause: string; readonly kept_until: string | null } | null
}

/** How many events the served version of one read model lacks. */
type ModelReadiness = { readonly version: number; readonly lag: number }

/**
 * Whether requests can be answered, with numbers. `position` counts the events of the log; null when it cannot be read.
 */
export type Readiness = {
  readonly status: 'ready' | 'not_ready'
  readonly store: { readonly position: number } | null
  /** `lag` is that of the model furthest behind; `defect` names the model that stops all of them. */
  readonly read_models: {
    readonly lag: number
    readonly defect: string | null
    readonly models: Readonly<Record<string, ModelReadiness>>
  } | null
  /** Null where an environment is not configured. */
  readonly ledgers: Readonly<Record<Environment, LedgerReadiness | null>>
  /** Whether each file of the data directory, or each database, can be written. */
  readonly writes: WritesReadiness
}

/** What the readiness of one environment depends on. */
export type WatchedLedger = {
  readonly gateway: Pick<LedgerGateway, 'latestLedger'>
  readonly cursor: Pick<CursorStore<never>, 'load'>
  readonly halted: () => Promise<Halt | null>
  readonly protocol: Worker['protocol']
}

/** All are asked at once and answer within a second, the patience of load balancers. */
const answerWithinMs = 800

export const readinessOf = (
  readProgress: ReadProgress,
  ledgers: Readonly<Record<Environment, WatchedLedger | null>>,
  writable: () => Promise<WritesReadiness>,
  now: (environment: Environment) => UnixMs,
): (() => Promise<Readiness>) => {
  const progressInTime = inTime(readProgress, answerWithinMs)
  const testnetInTime = ledgerInTime(ledgers.testnet, () => now('testnet'))
  const mainnetInTime = ledgerInTime(ledgers.mainnet, () => now('mainnet'))
  return async () => {
    const [log, testnet, mainnet, writes] = await Promise.all([
      progressInTime(),
      testnetInTime(),
      mainnetInTime(),
      writable(),
    ])
    const isAnswering = [testnet, mainnet].every((ledger) => ledger === null || ledger.latest !== null)
    const isWritable = Object.values(writes).every((each) => each === 'ok')
    return {
      status: log !== null && log.defect === null && isAnswering && isWritable ? 'ready' : 'not_ready',
      store: log === null ? null : { position: log.position },
      read_models: log === null ? null : readModelsIn(log),
      ledgers: { testnet, mainnet },
      writes,
    }
  }
}

const readModelsIn = ({ lag, defect, models }: Progress): Readiness['read_models'] => ({
  lag,
  defect,
  models: Object.fromEntries(models.map(({ name, version, lag: own }) => [name, { version, lag: own }])),
})

const ledgerInTime = (ledger: WatchedLedger | null, now: () => UnixMs): (() => Promise<LedgerReadiness | null>) => {
  if (ledger === null) return async () => null
  const { cursor, gateway } = ledger
  const haltedInTime = ifStoreAnswers(ledger.halted)
  const savedInTime = ifStoreAnswers(() => cursor.load()())
  const latestInTime = inTime(gateway.latestLedger(), answerWithinMs)
  return async () => {
    const [saved, halted] = await Promise.all([savedInTime(), haltedInTime()])
    const walked = saved !== null && E.isRight(saved) ? (saved.right?.sequence ?? null) : null
    const answer = await latestInTime()
    const head = answer !== null && E.isRight(answer) ? answer.right : null
    const latest = head?.sequence ?? null
    return {
      walked,
      latest,
      lag: walked === null || latest === null ? null : Math.max(0, latest - walked),
      clock_ahead: head === null ? null : (now() - head.closedAt) / secondMs,
      halted,
      protocol: protocolOf(ledger.protocol()),
    }
  }
}

const isoTime = (at: number): string => new Date(at).toISOString()

const protocolOf = (standing: ReturnType<Worker['protocol']>): ProtocolReadiness | null => {
  if (standing === null) return null
  const { current, readable, prepared, announced, unread, passedOver } = standing
  return {
    current,
    readable,
    prepared,
    passed_over: passedOver,
    announced: announced === null ? null : { protocol: announced.protocol, at: isoTime(announced.at) },
    unread:
      unread === null
        ? null
        : {
            ledger: unread.ledger,
            cause: unread.cause,
            kept_until: unread.keptUntil === null ? null : isoTime(unread.keptUntil),
          },
  }
}
