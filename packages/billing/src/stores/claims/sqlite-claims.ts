import { randomUUID } from 'node:crypto'
import type { SqlDatabase, SqlValue } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type Claim, type Claims, ClaimTaken, type KeyedRequest } from '../../kernel/claims.ts'
import { type Clock, timeArguments, timeOfRow, timesOf } from '../../kernel/clock.ts'
import { query } from '../sql/query.ts'
import { ClaimRow, openClaimsTable, selectClaim } from './claims-table.ts'

const leaseMs = 30_000
const keptMs = 30 * 24 * 60 * 60 * 1000

/** Claims in the event log's own file. `database` is a connection of their own to it. */
export const sqliteClaims = (database: SqlDatabase, clock: Clock, freshId: () => string = randomUUID): Claims => {
  openClaimsTable(database)
  const where = 'WHERE merchant_id = ? AND environment = ? AND key = ?'
  const find = query(database, ClaimRow, `${selectClaim} ${where}`)
  const own = `${where} AND command_id = ? AND NOT is_bound`
  const lease = database.prepare(`UPDATE idempotency_claims SET leased_until = ? ${own}`)
  const takeOver = database.prepare(`UPDATE idempotency_claims SET leased_until = ? ${own} AND leased_until <= ?`)
  const remove = database.prepare(`DELETE FROM idempotency_claims ${own}`)
  const purge = database.prepare(`DELETE FROM idempotency_claims WHERE has_written = 0 AND at + ? < ${timeOfRow}`)
  /** The request hashes of the keys that this process works on: a claim is in the file only from the first append on. */
  const running = new Map<string, string>()

  const hold = (request: KeyedRequest, known: ClaimFacts): Claim => {
    const name = keyOf(request)
    const held = name.join('\n')
    running.set(held, request.requestHash)
    let from = known.answeredFrom
    const write = (sql: SqlDatabase, leasedUntil: number, isBound: boolean): boolean =>
      keep(sql, request, { ...known, answeredFrom: from, leasedUntil, isBound })
    const end =
      <A>(work: () => A) =>
      (): A => {
        try {
          return work()
        } finally {
          running.delete(held)
        }
      }
    return {
      ...known,
      answerFrom: (place) => {
        if (place.commandId === known.commandId) from = place
      },
      alongside: (sql) => {
        if (!write(sql, clock.now(request.environment) + leaseMs, false)) {
          throw new ClaimTaken('the idempotency key was claimed by another request')
        }
      },
      bind: end(() => (write(database, 0, true) ? E.right(undefined) : E.left({ _tag: 'ClaimLost' }))),
      drop: end(() => void remove.run(...name, known.commandId)),
      release: end(() => void lease.run(0, ...name, known.commandId)),
    }
  }

  const open: Claims['open'] = (request) => {
    const name = keyOf(request)
    const runningHash = running.get(name.join('\n'))
    if (runningHash !== undefined) {
      return E.left(
        runningHash === request.requestHash
          ? { _tag: 'RequestInProgress', retryAfterSeconds: 1 }
          : { _tag: 'IdempotencyKeyReused' },
      )
    }
    const row = find.one(...name)
    const now = clock.now(request.environment)
    if (row === null) {
      return E.right(hold(request, { commandId: freshId(), at: now, isFirst: true, answeredFrom: null }))
    }
    if (row.requestHash !== request.requestHash) return E.left({ _tag: 'IdempotencyKeyReused' })
    if (row.isBound === 1) return E.right({ ...knownIn(row), ...settled })
    if (row.leasedUntil > now) {
      return E.left({ _tag: 'RequestInProgress', retryAfterSeconds: Math.ceil((row.leasedUntil - now) / 1000) })
    }
    // Another process may have taken it over since the read.
    const { changes } = takeOver.run(now + leaseMs, ...name, row.commandId, now)
    return changes > 0 ? E.right(hold(request, knownIn(row))) : open(request)
  }

  return { open, purge: () => void purge.run(keptMs, ...timeArguments(timesOf(clock))) }
}

type ClaimFacts = Pick<Claim, 'commandId' | 'at' | 'isFirst' | 'answeredFrom'>

const knownIn = ({ commandId, at, stream, revision }: t.TypeOf<typeof ClaimRow>): ClaimFacts => ({
  commandId,
  at,
  isFirst: false,
  answeredFrom: stream === null || revision === null ? null : { commandId, stream, revision: BigInt(revision) },
})

/** The command of a bound key is over: a retry writes nothing. */
const settled: Omit<Claim, keyof ClaimFacts> = {
  answerFrom: () => undefined,
  alongside: () => undefined,
  bind: () => E.right(undefined),
  drop: () => undefined,
  release: () => undefined,
}

const keyOf = ({ merchantId, environment, key }: KeyedRequest): ReadonlyArray<SqlValue> => [
  merchantId,
  environment,
  key,
]

type WrittenClaim = ClaimFacts & { readonly leasedUntil: number; readonly isBound: boolean }

/**
 * Inserts the claim, or updates it until it is bound; whether the key is still this command's. A claim that is bound when
 * it is inserted wrote nothing: the first write of a command brings its claim along.
 */
const keep = (sql: SqlDatabase, request: KeyedRequest, kept: WrittenClaim): boolean => {
  const { commandId, at, answeredFrom, leasedUntil, isBound } = kept
  const { changes } = sql
    .prepare(
      `INSERT INTO idempotency_claims (merchant_id, environment, key, command_id, request_hash, at, leased_until,
         is_bound, has_written, answered_stream, answered_revision)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET leased_until = excluded.leased_until, is_bound = excluded.is_bound,
         answered_stream = excluded.answered_stream, answered_revision = excluded.answered_revision
       WHERE command_id = excluded.command_id AND NOT is_bound`,
    )
    .run(
      ...keyOf(request),
      commandId,
      request.requestHash,
      at,
      leasedUntil,
      isBound ? 1 : 0,
      isBound ? 0 : 1,
      answeredFrom?.stream ?? null,
      answeredFrom?.revision ?? null,
    )
  return changes > 0
}
