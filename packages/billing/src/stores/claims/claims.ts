import { randomUUID } from 'node:crypto'
import type { Sql, SqlProgram, SqlValue } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type Claim, type ClaimRejection, type Claims, ClaimTaken, type KeyedRequest } from '../../kernel/claims.ts'
import { type Clock, timeArguments, timeOfRow, timesOf } from '../../kernel/clock.ts'
import { isChanged, query, write } from '../sql/query.ts'
import { ClaimRow, selectClaim } from './claims-table.ts'

const leaseMs = 30_000
const keptMs = 30 * 24 * 60 * 60 * 1000

const where = 'WHERE merchant_id = ? AND environment = ? AND key = ?'
const own = `${where} AND command_id = ? AND is_bound = 0`
const find = query(ClaimRow, `${selectClaim} ${where}`)
const lease = write(`UPDATE idempotency_claims SET leased_until = ? ${own}`)
const takeOver = isChanged(`UPDATE idempotency_claims SET leased_until = ? ${own} AND leased_until <= ?`)
const remove = write(`DELETE FROM idempotency_claims ${own}`)
const purge = write(`DELETE FROM idempotency_claims WHERE has_written = 0 AND at + ? < ${timeOfRow}`)

/** Claims in the database of the event log, or beside it. */
export const claims = ({ run }: Sql, clock: Clock, freshId: () => string = randomUUID): Claims => {
  /** The request hashes of the keys that this process works on: a claim is written only from the first append on. */
  const running = new Map<string, string>()
  /** The keys that are being opened: the next request of one waits, and then finds it running or not. */
  const opening = new Map<string, Promise<unknown>>()

  const hold = (request: KeyedRequest, known: ClaimFacts): Claim => {
    const name = keyOf(request)
    const held = name.join('\n')
    running.set(held, request.requestHash)
    let from = known.answeredFrom
    const kept = (leasedUntil: number, isBound: boolean): SqlProgram<boolean> =>
      keep(request, { ...known, answeredFrom: from, leasedUntil, isBound })
    const end =
      <A>(work: () => Promise<A>) =>
      async (): Promise<A> => {
        try {
          return await work()
        } finally {
          running.delete(held)
        }
      }
    return {
      ...known,
      answerFrom: (place) => {
        if (place.commandId === known.commandId) from = place
      },
      alongside: function* () {
        if (!(yield* kept(clock.now(request.environment) + leaseMs, false)())) {
          throw new ClaimTaken('the idempotency key was claimed by another request')
        }
      },
      bind: end(async () => ((await run(kept(0, true))) ? E.right(undefined) : E.left({ _tag: 'ClaimLost' }))),
      drop: end(() => run(remove(...name, known.commandId))),
      release: end(() => run(lease(0, ...name, known.commandId))),
    }
  }

  const openNow = async (request: KeyedRequest): Promise<E.Either<ClaimRejection, Claim>> => {
    const name = keyOf(request)
    const runningHash = running.get(name.join('\n'))
    if (runningHash !== undefined) {
      return E.left(
        runningHash === request.requestHash
          ? { _tag: 'RequestInProgress', retryAfterSeconds: 1 }
          : { _tag: 'IdempotencyKeyReused' },
      )
    }
    const row = await run(find.one(...name))
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
    const isTaken = await run(takeOver(now + leaseMs, ...name, row.commandId, now))
    return isTaken ? E.right(hold(request, knownIn(row))) : openNow(request)
  }

  return {
    open: async (request) => {
      const name = keyOf(request).join('\n')
      for (let before = opening.get(name); before !== undefined; before = opening.get(name)) await before
      const opened = openNow(request)
      const isOver = opened.then(
        () => opening.delete(name),
        () => opening.delete(name),
      )
      opening.set(name, isOver)
      return opened
    },
    purge: () => run(purge(keptMs, ...timeArguments(timesOf(clock)))),
  }
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
  alongside: function* () {
    yield* []
  },
  bind: async () => E.right(undefined),
  drop: async () => undefined,
  release: async () => undefined,
}

const keyOf = ({ merchantId, environment, key }: KeyedRequest): ReadonlyArray<SqlValue> => [
  merchantId,
  environment,
  key,
]

type WrittenClaim = ClaimFacts & { readonly leasedUntil: number; readonly isBound: boolean }

const insertOrUpdate = isChanged(
  `INSERT INTO idempotency_claims (merchant_id, environment, key, command_id, request_hash, at, leased_until,
     is_bound, has_written, answered_stream, answered_revision)
   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT (merchant_id, environment, key) DO UPDATE
   SET leased_until = excluded.leased_until, is_bound = excluded.is_bound,
     answered_stream = excluded.answered_stream, answered_revision = excluded.answered_revision
   WHERE idempotency_claims.command_id = excluded.command_id AND idempotency_claims.is_bound = 0`,
)

/**
 * Inserts the claim, or updates it until it is bound; whether the key is still this command's. A claim that is bound when
 * it is inserted wrote nothing: the first write of a command brings its claim along.
 */
const keep = (
  request: KeyedRequest,
  { commandId, at, answeredFrom, leasedUntil, isBound }: WrittenClaim,
): SqlProgram<boolean> =>
  insertOrUpdate(
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
