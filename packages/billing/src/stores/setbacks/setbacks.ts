import { Environment, type UnixMs, UnixMs as UnixMsCodec, unixMs } from '@quittance/domain'
import type { SqlDatabase, SqlRow } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { FailureTag, isAlarming, pauseMs } from './failures.ts'
import { Loop } from './loop.ts'

/** What a loop works on: a stream, a session, an account, as the loop names it. `platform` owns what is no merchant's. */
export type Item = Scope & { readonly id: string }

/** Work on an item that has failed and is tried again at `nextAt`. `attempts` have failed in a row since `firstAt`. */
export type Setback = Item & {
  readonly loop: Loop
  readonly failure: FailureTag
  readonly cause: string
  readonly attempts: number
  readonly firstAt: UnixMs
  readonly nextAt: UnixMs
}

/** What a person is told of a merchant's items in one loop: once that one is set back, and once that none is any more. */
export type SetbackNews =
  | ({ readonly _tag: 'MerchantSetBack' } & Setback)
  | ({ readonly _tag: 'MerchantSetBackOver' } & Setback)

export type Failed = { readonly failure: FailureTag; readonly cause: string }

/** The items that have failed and wait for their next attempt. A loop without any reads an empty list, and writes nothing. */
export interface Setbacks {
  readonly of: (environment: Environment, loop: Loop) => ReadonlyArray<Setback>
  /** Counts another failed attempt, and answers when the next one is due. */
  readonly record: (loop: Loop, item: Item, failed: Failed, now: UnixMs) => Setback
  /** It has succeeded, or nothing of it is left to do. */
  readonly clear: (loop: Loop, item: Item) => void
  /** When the next attempt is due (Unix milliseconds): it may be now or past. Null without setbacks. */
  readonly nextDue: (environment: Environment) => number | null
  /** Those that a person was told of, the oldest first, `most` at the most. */
  readonly alarmed: (environment: Environment, most: number) => ReadonlyArray<Setback>
  /** How many there are of each loop and failure. */
  readonly counts: (environment: Environment) => ReadonlyArray<SetbackCount>
  /** What a person has not been told yet; each is answered once, whichever process asks. */
  readonly takeNews: (environment: Environment) => ReadonlyArray<SetbackNews>
  /** How many failed attempts this process has recorded. */
  readonly recorded: () => number
}

export type SetbackCount = { readonly loop: Loop; readonly failure: FailureTag; readonly count: number }

const Row = t.strict({
  environment: Environment,
  merchant_id: t.string,
  loop: Loop,
  item: t.string,
  failure: FailureTag,
  cause: t.string,
  attempts: t.number,
  first_at: UnixMsCodec,
  next_at: UnixMsCodec,
})

const setback = (row: SqlRow): Setback => {
  const { merchant_id: merchantId, item: id, first_at: firstAt, next_at: nextAt, ...known } = decodeOrThrow(Row, row)
  return { ...known, merchantId, id, firstAt, nextAt }
}

/** Causes are for a person to read, and may be as long as a stack. */
const longestCause = 500

/** In the file of the cursors, so that pauses and alarms outlive the process, and processes share them. */
export const sqliteSetbacks = (database: SqlDatabase): Setbacks => {
  database.execute(`CREATE TABLE IF NOT EXISTS setbacks (
    environment TEXT NOT NULL, merchant_id TEXT NOT NULL, loop TEXT NOT NULL, item TEXT NOT NULL,
    failure TEXT NOT NULL, cause TEXT NOT NULL, attempts INTEGER NOT NULL,
    first_at INTEGER NOT NULL, next_at INTEGER NOT NULL, alarm TEXT NOT NULL,
    PRIMARY KEY (environment, loop, merchant_id, item)
  ) STRICT`)
  const one = 'WHERE environment = ? AND loop = ? AND merchant_id = ? AND item = ?'
  const living = "alarm <> 'over'"
  const all = database.prepare(`SELECT * FROM setbacks WHERE environment = ? AND loop = ? AND ${living}`)
  const find = database.prepare(`SELECT * FROM setbacks ${one}`)
  const put = database.prepare('INSERT OR REPLACE INTO setbacks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const forget = database.prepare(`DELETE FROM setbacks ${one} AND alarm IN ('none', 'due')`)
  const end = database.prepare(`UPDATE setbacks SET alarm = 'over' ${one} AND alarm = 'told'`)
  const next = database.prepare(`SELECT min(next_at) AS next_at FROM setbacks WHERE environment = ? AND ${living}`)
  const told = database.prepare(
    "SELECT * FROM setbacks WHERE environment = ? AND alarm IN ('due', 'told') ORDER BY first_at, loop, merchant_id, item LIMIT ?",
  )
  const counted = database.prepare(
    `SELECT loop, failure, count(*) AS count FROM setbacks WHERE environment = ? AND ${living} GROUP BY loop, failure`,
  )
  const newest = database.prepare("SELECT * FROM setbacks WHERE environment = ? AND alarm IN ('due', 'over')")
  const bury = database.prepare(`DELETE FROM setbacks ${one} AND alarm = 'over'`)
  const tell = database.prepare(`UPDATE setbacks SET alarm = 'told' ${one} AND alarm = 'due'`)
  const drop = database.prepare(`DELETE FROM setbacks ${one}`)
  const spoken = database.prepare(
    "SELECT 1 FROM setbacks WHERE environment = ? AND loop = ? AND merchant_id = ? AND alarm <> 'none' LIMIT 1",
  )
  const silent = database.prepare(
    "SELECT * FROM setbacks WHERE environment = ? AND loop = ? AND merchant_id = ? AND alarm = 'none' LIMIT 1",
  )
  const inherit = database.prepare(`UPDATE setbacks SET alarm = 'told' ${one}`)
  const keyOf = (loop: Loop, { environment, merchantId, id }: Item) => [environment, loop, merchantId, id] as const
  let recorded = 0
  return {
    of: (environment, loop) => all.all(environment, loop).map(setback),
    record: (loop, item, { failure, cause }, now) => {
      recorded += 1
      const row = find.get(...keyOf(loop, item))
      const known = row === undefined || row.alarm === 'over' ? null : setback(row)
      const attempts = (known?.attempts ?? 0) + 1
      const { environment, merchantId, id } = item
      const isTold = row !== undefined && row.alarm !== 'none'
      const isNews = isAlarming(failure, attempts) && spoken.get(environment, loop, merchantId) === undefined
      const alarm = isTold ? (row.alarm === 'due' ? 'due' : 'told') : isNews ? 'due' : 'none'
      const firstAt = known?.firstAt ?? now
      const nextAt = unixMs(now + pauseMs(failure, attempts))
      const kept = cause.slice(0, longestCause)
      put.run(environment, merchantId, loop, id, failure, kept, attempts, firstAt, nextAt, alarm)
      return { environment, merchantId, id, loop, failure, cause: kept, attempts, firstAt, nextAt }
    },
    clear: (loop, item) =>
      database.transaction(() => {
        const { environment, merchantId } = item
        if (forget.run(...keyOf(loop, item)).changes === 1) return
        const heir = silent.get(environment, loop, merchantId)
        if (heir === undefined) end.run(...keyOf(loop, item))
        else {
          drop.run(...keyOf(loop, item))
          inherit.run(...keyOf(loop, setback(heir)))
        }
      }),
    nextDue: (environment) => {
      const at = next.get(environment)?.next_at
      return typeof at === 'number' ? at : null
    },
    alarmed: (environment, most) => told.all(environment, most).map(setback),
    counts: (environment) => counted.all(environment).map((row) => decodeOrThrow(CountRow, row)),
    takeNews: (environment) =>
      newest.all(environment).flatMap((row): ReadonlyArray<SetbackNews> => {
        const known = setback(row)
        const isOver = row.alarm === 'over'
        const taken = (isOver ? bury : tell).run(...keyOf(known.loop, known))
        if (taken.changes === 0) return []
        return [{ _tag: isOver ? 'MerchantSetBackOver' : 'MerchantSetBack', ...known }]
      }),
    recorded: () => recorded,
  }
}

const CountRow = t.strict({ loop: Loop, failure: FailureTag, count: t.number })
