import { randomUUID } from 'node:crypto'
import { UnixMs } from '@quittance/domain'
import type { Alongside, SqlDatabase, SqlValue } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import { decodeOrThrow } from '../decode.ts'
import type { Clock } from '../ports.ts'
import { type Claim, type Claims, ClaimTaken, type KeyedRequest } from './port.ts'

const leaseMs = 30_000
const keptMs = 30 * 24 * 60 * 60 * 1000

/** Claims in the event log's own file. `database` is a connection of their own to it. */
export const sqliteClaims = (database: SqlDatabase, clock: Clock): Claims => {
  database.execute(`
    CREATE TABLE IF NOT EXISTS idempotency_claims (
      merchant_id TEXT NOT NULL, environment TEXT NOT NULL, key TEXT NOT NULL,
      command_id TEXT NOT NULL, request_hash TEXT NOT NULL, at INTEGER NOT NULL, leased_until INTEGER NOT NULL,
      PRIMARY KEY (merchant_id, environment, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS idempotency_claims_at ON idempotency_claims (at);
  `)
  const where = 'WHERE merchant_id = ? AND environment = ? AND key = ?'
  const find = database.prepare(`SELECT * FROM idempotency_claims ${where}`)
  const lease = database.prepare(`UPDATE idempotency_claims SET leased_until = ? ${where} AND command_id = ?`)
  const remove = database.prepare(`DELETE FROM idempotency_claims ${where} AND command_id = ?`)
  const purge = database.prepare('DELETE FROM idempotency_claims WHERE at < ?')
  /** What this process is working on, with the hash of each request: the file hears of it with the first append. */
  const running = new Map<string, string>()

  const hold = (request: KeyedRequest, commandId: string, at: UnixMs, isFirst: boolean): Claim => {
    const name = keyOf(request)
    const held = name.join('\n')
    running.set(held, request.requestHash)
    const end = (work: () => void) => () => {
      work()
      running.delete(held)
    }
    return {
      commandId,
      at,
      isFirst,
      alongside: claiming(request, commandId, at, clock.now() + leaseMs),
      bind: end(() => void keep(database, request, commandId, at, 0)),
      drop: end(() => remove.run(...name, commandId)),
      release: end(() => lease.run(0, ...name, commandId)),
    }
  }

  return {
    open: (request) => {
      const runningHash = running.get(keyOf(request).join('\n'))
      if (runningHash !== undefined) {
        return E.left(
          runningHash === request.requestHash
            ? { _tag: 'RequestInProgress', retryAfterSeconds: 1 }
            : { _tag: 'IdempotencyKeyReused' },
        )
      }
      const known = find.get(...keyOf(request))
      if (known === undefined) return E.right(hold(request, randomUUID(), clock.now(), true))
      if (known.request_hash !== request.requestHash) return E.left({ _tag: 'IdempotencyKeyReused' })
      const left = Number(known.leased_until) - clock.now()
      if (left > 0) return E.left({ _tag: 'RequestInProgress', retryAfterSeconds: Math.ceil(left / 1000) })
      const commandId = String(known.command_id)
      lease.run(clock.now() + leaseMs, ...keyOf(request), commandId)
      return E.right(hold(request, commandId, decodeOrThrow(UnixMs, known.at), false))
    },
    purge: () => {
      purge.run(clock.now() - keptMs)
    },
  }
}

const keyOf = ({ merchantId, environment, key }: KeyedRequest): ReadonlyArray<SqlValue> => [
  merchantId,
  environment,
  key,
]

/** Inserts the claim, or renews this very one. Whether the key is this command's. */
const keep = (sql: SqlDatabase, request: KeyedRequest, commandId: string, at: UnixMs, leasedUntil: number): boolean => {
  const { changes } = sql
    .prepare(
      `INSERT INTO idempotency_claims VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET leased_until = excluded.leased_until WHERE command_id = excluded.command_id`,
    )
    .run(...keyOf(request), commandId, request.requestHash, at, leasedUntil)
  return changes > 0
}

/** Another command's claim on the key refuses the whole transaction. */
const claiming =
  (request: KeyedRequest, commandId: string, at: UnixMs, leasedUntil: number): Alongside =>
  (sql) => {
    if (!keep(sql, request, commandId, at, leasedUntil)) {
      throw new ClaimTaken('the idempotency key was claimed by another request')
    }
  }
