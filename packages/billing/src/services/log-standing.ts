import {
  type Environment,
  type ForgottenTransaction,
  isLossAccepted,
  type LogAcceptance,
  LogHistory,
  type LogHistoryCommand,
  type LogHistoryState,
  type LogMark,
  minuteMs,
} from '@quittance/domain'
import type { EventStore } from '@quittance/event-store'
import type { LedgerHead, SubmitFailure } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Clock, deploymentTime } from '../kernel/clock.ts'
import { type ExecuteFailure, execute } from '../kernel/execute.ts'
import type { StoreUnavailable } from '../kernel/load.ts'
import { platform } from '../kernel/platform.ts'
import { rememberedStates } from '../kernel/remembered.ts'
import type { MarkKeeper, NewestEvent } from '../stores/log-marks.ts'

/** What shows that the log went back: an event that it held once, or a transaction of ours that it does not know. */
export type RollbackReason =
  | ({ readonly _tag: 'EventLacking' } & LogMark)
  | ({ readonly _tag: 'TransactionForgotten' } & ForgottenTransaction)

/** Whether the log is the one that this deployment has written. */
export type LogStanding =
  | { readonly _tag: 'Sound' }
  | { readonly _tag: 'RolledBack'; readonly reasons: ReadonlyArray<RollbackReason> }

export type Withheld = Extract<SubmitFailure, { readonly _tag: 'Withheld' }>

/**
 * Watches whether the log went back, as after a restored backup. While it did, nothing is sent and no work is begun until
 * a person accepts. All bytes for the network pass `permit`.
 */
export interface LogStandings {
  /** As the last check of this process found it. */
  readonly now: () => LogStanding
  /**
   * Compares the log with its marks, and records a log that went back. Moves the mark beside the log forward, once a second
   * or if this is the last check of a process.
   */
  readonly check: (isLast?: boolean) => Promise<E.Either<StoreUnavailable, LogStanding>>
  /**
   * Records that the ledger shows a transaction of ours which the log does not know. Repeated, or up to an accepted
   * ledger, it records nothing.
   */
  readonly suspect: (found: ForgottenTransaction) => Promise<E.Either<ExecuteFailure, void>>
  /** Records a person's acceptance, if there is anything to accept. */
  readonly accept: (
    acceptance: Omit<Extract<LogHistoryCommand, { readonly type: 'AcceptLog' }>, 'type'>,
  ) => Promise<E.Either<ExecuteFailure, LogHistoryState>>
  /** Notes how far this process has ingested the ledger, and what was the newest ledger then. */
  readonly ingested: (environment: Environment, through: LedgerHead, newest: LedgerHead) => void
  /** Whether work of an environment may be done: the log is sound, and the ledgers from before the start are ingested. */
  readonly mayAct: (environment: Environment) => boolean
  /** What people have accepted, oldest first. */
  readonly acceptances: () => Promise<E.Either<StoreUnavailable, ReadonlyArray<LogAcceptance>>>
  /** Permits bytes to leave if the log is sound, and makes a mark durable first. */
  readonly permit: () => Promise<E.Either<Withheld, void>>
  /** The standing, if it has changed since this was last called. */
  readonly takeNotification: () => LogStanding | null
}

type Keepers = { readonly vault: MarkKeeper; readonly file: MarkKeeper | null }

/** Where a keeper's mark is in the log (-1: nowhere, and that is accepted), or the mark that is lacking. */
type Place =
  | { readonly _tag: 'At'; readonly mark: LogMark | null; readonly position: bigint }
  | { readonly _tag: 'Lacking'; readonly mark: LogMark }

type Places = { readonly inVault: Place; readonly inFile: Place }

const sound: LogStanding = { _tag: 'Sound' }
const betweenFileMarksMs = 1_000
/** A network whose newest ledger is older makes no progress, or its node is late. */
const oldestNewestMs = 5 * minuteMs
const triesToMark = 4

const withheld = (cause: string): E.Either<Withheld, never> => E.left({ _tag: 'Withheld', cause })

/** The events concern the log of all environments; an event has to name one. */
const scope = { merchantId: platform, environment: 'testnet' as const }

export const logStandings = (
  store: EventStore,
  newest: NewestEvent,
  { vault, file }: Keepers,
  clock: Clock,
  freshId: () => string,
  /** How long a sound standing counts as checked; permits are always checked. */
  betweenChecksMs = 0,
): LogStandings => {
  const historyOf = rememberedStates(store, LogHistory)
  const caughtUp = new Set<Environment>()
  let standing: LogStanding = sound
  let told: LogStanding = sound
  let fileMarkedAt = Number.NEGATIVE_INFINITY
  let checkedAt = Number.NEGATIVE_INFINITY

  let turn: Promise<unknown> = Promise.resolve()
  /** One after the other, or a check that began before a suspicion would end it. */
  const inTurn = <A>(work: () => Promise<A>): Promise<A> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  const found = (state: LogHistoryState, lacked: ReadonlyArray<LogMark> = []): LogStanding => {
    const reasons: ReadonlyArray<RollbackReason> = [
      ...[...state.lacked, ...lacked].map((mark) => ({ _tag: 'EventLacking' as const, ...mark })),
      ...state.forgotten.map((each) => ({ _tag: 'TransactionForgotten' as const, ...each })),
    ]
    standing = reasons.length === 0 ? sound : { _tag: 'RolledBack', reasons }
    return standing
  }

  const record = async (command: LogHistoryCommand): Promise<E.Either<ExecuteFailure, LogHistoryState>> => {
    const commandId = freshId()
    const at = deploymentTime(clock)
    const context = { ...scope, commandId, correlationId: commandId, causationId: null, actor: 'process', at }
    const recorded = await execute(store)(LogHistory, platform, context, LogHistory.decider.decide(command))
    if (E.isLeft(recorded)) return recorded
    found(recorded.right.state)
    return E.right(recorded.right.state)
  }

  /** Where the log holds the marked event; null if it does not. */
  const positionOf = async (mark: LogMark): Promise<E.Either<StoreUnavailable, bigint | null>> => {
    const slice = await store.readStream(mark.stream, BigInt(mark.revision))()
    if (E.isLeft(slice)) return slice
    const [event] = slice.right.events
    return E.right(event?.metadata.hash === mark.hash ? event.position : null)
  }

  const placeOf = async (
    keeper: MarkKeeper | null,
    state: LogHistoryState,
  ): Promise<E.Either<StoreUnavailable, Place>> => {
    const mark = (await keeper?.kept()) ?? null
    if (mark === null) return E.right({ _tag: 'At', mark, position: -1n })
    const position = await positionOf(mark)
    if (E.isLeft(position)) return position
    if (position.right !== null) return E.right({ _tag: 'At', mark, position: position.right })
    return E.right(isLossAccepted(state, mark) ? { _tag: 'At', mark, position: -1n } : { _tag: 'Lacking', mark })
  }

  /** Moves a mark to the newest event, unless it is there already or another process was first. */
  const moveMark = async (keeper: MarkKeeper | null, place: Place): Promise<'moved' | 'there' | 'overtaken'> => {
    const mark = newest.mark()
    const isThere = place._tag === 'Lacking' || place.position >= newest.position()
    if (keeper === null || mark === null || isThere) return 'there'
    return (await keeper.move(place.mark, mark)) ? 'moved' : 'overtaken'
  }

  /** Compares the log with both marks. Their places, if the log is sound. */
  const compare = async (): Promise<E.Either<StoreUnavailable, Places | null>> => {
    const history = await historyOf(platform)
    if (E.isLeft(history)) return history
    const state = history.right
    const inVault = await placeOf(vault, state)
    if (E.isLeft(inVault)) return inVault
    const inFile = await placeOf(file, state)
    if (E.isLeft(inFile)) return inFile
    const lacked = [inVault.right, inFile.right].flatMap((place) => (place._tag === 'Lacking' ? [place.mark] : []))
    if (lacked.length > 0) {
      // Recorded, because ingestion may write the same events again. Not recorded, the marks still show it.
      const recorded = await record({ type: 'ReportRollback', lacked, foundAt: deploymentTime(clock) })
      if (E.isLeft(recorded)) found(state, lacked)
      return E.right(null)
    }
    return E.right(found(state)._tag === 'RolledBack' ? null : { inVault: inVault.right, inFile: inFile.right })
  }

  const check = async (isLast: boolean): Promise<E.Either<StoreUnavailable, LogStanding>> => {
    const now = performance.now()
    if (!isLast && standing._tag === 'Sound' && now - checkedAt < betweenChecksMs) return E.right(standing)
    const places = await compare()
    if (E.isLeft(places)) return places
    checkedAt = now
    const isDue = isLast || now - fileMarkedAt >= betweenFileMarksMs
    if (isDue && places.right !== null && (await moveMark(file, places.right.inFile)) === 'moved') fileMarkedAt = now
    return E.right(standing)
  }

  const permit = async (): Promise<E.Either<Withheld, void>> => {
    for (let tries = 0; tries < triesToMark; tries++) {
      const places = await compare()
      if (E.isLeft(places)) return withheld('store_unavailable')
      if (places.right === null) return withheld('log_rolled_back')
      const { inVault } = places.right
      const moved = await TE.tryCatch(() => moveMark(vault, inVault), String)()
      if (E.isLeft(moved)) return withheld('vault_unavailable')
      if (moved.right === 'overtaken') continue
      await moveMark(file, places.right.inFile)
      return E.right(undefined)
    }
    return withheld('vault_busy')
  }

  return {
    now: () => standing,
    check: (isLast = false) => inTurn(() => check(isLast)),
    suspect: async (transaction) => {
      const recorded = await inTurn(() => record({ type: 'ReportForgottenTransaction', ...transaction }))
      return E.isLeft(recorded) ? recorded : E.right(undefined)
    },
    accept: (acceptance) => inTurn(() => record({ type: 'AcceptLog', ...acceptance })),
    ingested: (environment, through, latest) => {
      const isProgressing = latest.closedAt >= clock.now(environment) - oldestNewestMs
      if (through.sequence >= latest.sequence && isProgressing) caughtUp.add(environment)
    },
    mayAct: (environment) => standing._tag === 'Sound' && caughtUp.has(environment),
    acceptances: async () => E.map(({ acceptances }: LogHistoryState) => acceptances)(await historyOf(platform)),
    permit: () => inTurn(permit),
    takeNotification: () => {
      if (JSON.stringify(standing) === JSON.stringify(told)) return null
      told = standing
      return standing
    },
  }
}
