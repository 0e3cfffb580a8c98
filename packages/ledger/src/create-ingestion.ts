import { type AccountId, ContractId, type LedgerSequence } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import { after, disagreement, discontinuity, type PairedLedger, pairedLedgers, wentBack } from './continuity.ts'
import type {
  AccountLookUp,
  LedgerBatch,
  LedgerHead,
  LedgerUnreachable,
  Naming,
  ReadFailure,
  UnreadableLedger,
} from './gateway.ts'
import type { Cursor, Halted, Ingestion, IngestionOptions, PassedOverLedger, Progress } from './ingestion.ts'
import { oncePerReason } from './once-per-reason.ts'
import { sharedRuns } from './shared-runs.ts'
import { withAnswers } from './with-answers.ts'

/** Why the ledgers of a batch were not all handled. */
type Stop<Failure> =
  | { readonly _tag: 'Halted'; readonly halted: Halted }
  | { readonly _tag: 'Failed'; readonly failure: Failure }

/** The saved cursor after a batch. `isMoved`: someone else moved it, so the last ledger does not count. */
type Handled<Failure> = {
  readonly cursor: Cursor | null
  readonly stop: Stop<Failure> | null
  readonly isMoved: boolean
}

const cursorAt = ({ sequence, closedAt, hash }: LedgerHead & { readonly hash: string }): Cursor => ({
  sequence,
  closedAt,
  hash,
})

/**
 * Ingests closed ledgers strictly in order, from a durable cursor that moves only after a ledger was handled
 * completely. It never passes a ledger that it cannot read or that does not continue the one before: each step tries
 * again from the cursor, until a node has the missing ledgers or a person moves the cursor. It fetches at most one
 * batch ahead.
 */
export const createIngestion = <Failure>(options: IngestionOptions<Failure>): Ingestion<Failure> => {
  const { gateway, batchSize, firstLedger } = options
  const { raise, clear } = oncePerReason(options.alarm)
  const halt = (halted: Halted): E.Either<Halted, never> => {
    raise(halted)
    return E.left(halted)
  }

  const firstAfter = async (cursor: Cursor | null): Promise<E.Either<LedgerUnreachable, LedgerSequence>> => {
    if (cursor !== null) return E.right(after(cursor.sequence))
    if (firstLedger !== 'latest') return E.right(firstLedger)
    const latest = await gateway.latestLedger()()
    return E.isLeft(latest) ? latest : E.right(latest.right.sequence)
  }

  const handleLedger = async (
    cursor: Cursor | null,
    expected: LedgerSequence,
    batch: LedgerBatch,
    paired: PairedLedger,
  ): Promise<Stop<Failure> | null> => {
    const watched = await options.watched()
    if (E.isLeft(watched)) return { _tag: 'Failed', failure: watched.left }
    const { ledger } = paired
    const isWatched = (account: AccountId) => watched.right.has(account)
    const mandateContracts = (await options.mandateContracts?.()) ?? new Set()
    const { incomingPayments, movements, disagreed } = await withAnswers(isWatched, false, (has) => {
      const known = { has }
      const received = ledger.incomingPaymentsTo(known)
      return {
        incomingPayments: received,
        movements: ledger.movementsOf(known),
        disagreed: disagreement(batch, paired, received, known, mandateContracts),
      }
    })
    const halted = discontinuity(cursor, expected, ledger) ?? disagreed
    if (halted !== null) return { _tag: 'Halted', halted }
    const undecoded = [ledger.undecoded, paired.twin?.undecoded].filter((each) => each !== undefined)
    const [part] = undecoded
    if (part !== undefined) {
      const names: Naming = (isOurs) =>
        undecoded.reduce<string | null>((found, each) => found ?? each.names(isOurs), null)
      const stop = await recordPassing({ ...part, ...cursorAt(ledger), hash: ledger.hash }, names, watched.right)
      if (stop !== null) return stop
    }
    const { sequence, closedAt, hash, maxTxSetSize, outcomesOf, ownTransactions, contractErrorOf } = ledger
    const mandates = ledger.mandatesOf(mandateContracts)
    const handled = await options.onLedger({
      ...{ sequence, closedAt, hash, maxTxSetSize, incomingPayments, movements, mandates },
      ...{ outcomesOf, ownTransactions, contractErrorOf },
    })()
    return E.isLeft(handled) ? { _tag: 'Failed', failure: handled.left } : null
  }

  /** Records what cannot be decoded and is passed over, if it provably holds nothing of ours. */
  const recordPassing = async (
    passed: PassedOverLedger,
    names: Naming,
    watched: AccountLookUp,
  ): Promise<Stop<Failure> | null> => {
    const { sequence, protocol } = passed
    const stop = (why: string): Stop<Failure> => {
      const cause = `${passed.cause}${why}`
      return { _tag: 'Halted', halted: { _tag: 'LedgerUnreadable', sequence, cause, protocol } }
    }
    if (options.onPassedOver === undefined) return stop('')
    const contracts = (await options.mandateContracts?.()) ?? new Set()
    const own = await options.ownAccounts?.()
    const isOurs = async (id: AccountId | ContractId): Promise<boolean> =>
      ContractId.is(id) ? contracts.has(id) : (await watched.has(id)) || (await own?.has(id)) === true
    const name = await withAnswers(isOurs, false, names)
    if (name !== null) return stop(`; it holds something of ${name}`)
    const recorded = await options.onPassedOver(passed)()
    if (E.isLeft(recorded)) return { _tag: 'Failed', failure: recorded.left }
    return recorded.right ? null : stop('; too many were passed over')
  }

  /** Passes a ledger of a newer protocol that cannot be decoded, if it provably holds nothing of ours. */
  const passOver = async (
    cursor: Cursor | null,
    expected: LedgerSequence,
    { opaque, ...unreadable }: UnreadableLedger,
  ): Promise<E.Either<Stop<Failure>, { readonly cursor: Cursor; readonly isMoved: boolean }>> => {
    const halted = opaque === undefined ? unreadable : discontinuity(cursor, expected, opaque)
    if (opaque === undefined || halted !== null) return E.left({ _tag: 'Halted', halted: halted ?? unreadable })
    const watched = await options.watched()
    if (E.isLeft(watched)) return E.left({ _tag: 'Failed', failure: watched.left })
    const stop = await recordPassing(opaque, opaque.names, watched.right)
    if (stop !== null) return E.left(stop)
    const next = cursorAt(opaque)
    const advanced = await options.cursor.advance(cursor, next)()
    if (E.isLeft(advanced)) return E.left({ _tag: 'Failed', failure: advanced.left })
    clear()
    return E.right({ cursor: next, isMoved: !advanced.right })
  }

  /** Handles the ledgers of a batch, up to one that halts or fails, and saves the cursor after each. */
  const handleBatch = async (
    begin: Cursor | null,
    from: LedgerSequence,
    batch: LedgerBatch,
  ): Promise<Handled<Failure>> => {
    let cursor = begin
    for (const paired of pairedLedgers(batch)) {
      const stop = await handleLedger(cursor, cursor === null ? from : after(cursor.sequence), batch, paired)
      if (stop !== null) return { cursor, stop, isMoved: false }
      clear()
      const next = cursorAt(paired.ledger)
      const advanced = await options.cursor.advance(cursor, next)()
      if (E.isLeft(advanced)) return { cursor, stop: { _tag: 'Failed', failure: advanced.left }, isMoved: false }
      if (!advanced.right) return { cursor: next, stop: null, isMoved: true }
      cursor = next
    }
    return { cursor, stop: null, isMoved: false }
  }

  const ingest = async (): Promise<E.Either<Halted | LedgerUnreachable | Failure, Progress>> => {
    const loaded = await options.cursor.load()()
    if (E.isLeft(loaded)) return loaded
    const first = await firstAfter(loaded.right)
    if (E.isLeft(first)) return first
    let cursor = loaded.right
    let from = first.right
    let goal: LedgerSequence | null = null
    let ahead: Promise<E.Either<ReadFailure, LedgerBatch>> | null = null
    for (;;) {
      const isFresh = ahead === null
      const batch: E.Either<ReadFailure, LedgerBatch> = await (ahead ??
        gateway.readLedgers(from, batchSize, cursor?.hash ?? null)())
      ahead = null
      if (E.isLeft(batch)) {
        if (!isFresh) continue
        if (batch.left._tag === 'LedgerUnreachable') return E.left(batch.left)
        if (batch.left._tag === 'RangePruned') return halt(batch.left)
        const passed = await passOver(cursor, from, batch.left)
        if (E.isLeft(passed))
          return passed.left._tag === 'Halted' ? halt(passed.left.halted) : E.left(passed.left.failure)
        cursor = passed.right.cursor
        if (passed.right.isMoved) return E.right({ handled: cursor, latest: cursor })
        from = after(cursor.sequence)
        continue
      }
      const { through, latest }: LedgerBatch = batch.right
      goal ??= latest.sequence
      const behind = cursor === null || through !== null ? null : wentBack(cursor, latest)
      if (behind !== null) return halt(behind)
      if (through !== null && through < goal) ahead = gateway.readLedgers(after(through), batchSize, null)()

      const handled = await handleBatch(cursor, from, batch.right)
      const { stop } = handled
      if (stop?._tag === 'Failed') return E.left(stop.failure)
      const isStuck = isFresh && handled.cursor === cursor
      // A batch that was read ahead is read once more with the hash that it should continue: another node may have that.
      if (stop !== null && isStuck) return halt(stop.halted)
      cursor = handled.cursor
      if (isStuck || through === null || cursor === null || cursor.sequence >= goal || handled.isMoved)
        return E.right({ handled: cursor, latest })
      from = after(cursor.sequence)
      if (cursor.sequence !== through) ahead = null
    }
  }

  return { step: sharedRuns(ingest) }
}
