import { Environment, UnixMs, unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { query } from '../sql/query.ts'
import { FailureTag, isAlarming, pauseMs } from './failures.ts'
import { Loop } from './loop.ts'

/** An item that a loop works on, such as a stream or an account. `platform` stands for items that are no merchant's. */
export type Item = Scope & { readonly id: string }

/** Work on an item that failed and is retried at `nextAt`. `attempts` have failed in a row since `firstAt`. */
export type Setback = Item & {
  readonly loop: Loop
  readonly failure: FailureTag
  readonly cause: string
  readonly attempts: number
  readonly firstAt: UnixMs
  readonly nextAt: UnixMs
}

/** The notifications about a merchant's items in one loop: that one is set back, and later that none is any more. */
export type SetbackNotification =
  | ({ readonly _tag: 'MerchantSetBack' } & Setback)
  | ({ readonly _tag: 'MerchantSetBackOver' } & Setback)

export type Failed = { readonly failure: FailureTag; readonly cause: string }

/** The items that have failed and wait for their next attempt. */
export interface Setbacks {
  readonly of: (environment: Environment, loop: Loop) => ReadonlyArray<Setback>
  /** Counts another failed attempt, and returns when the next one is due. */
  readonly record: (loop: Loop, item: Item, failed: Failed, now: UnixMs) => Setback
  /** Ends a setback: the item has succeeded, or nothing is left to do. */
  readonly clear: (loop: Loop, item: Item) => void
  /** When the next attempt is due (Unix milliseconds), which may be in the past. Null without setbacks. */
  readonly nextDue: (environment: Environment) => number | null
  /** At most `most` setbacks that alarms were raised for, the oldest first. */
  readonly alarmed: (environment: Environment, most: number) => ReadonlyArray<Setback>
  readonly counts: (environment: Environment) => ReadonlyArray<SetbackCount>
  /** The notifications that are due; only one process gets each of them. */
  readonly takeNotifications: (environment: Environment) => ReadonlyArray<SetbackNotification>
  /** How many failed attempts this process has recorded. */
  readonly recorded: () => number
}

const SetbackRow = t.strict({
  environment: Environment,
  merchantId: t.string,
  loop: Loop,
  id: t.string,
  failure: FailureTag,
  cause: t.string,
  attempts: t.number,
  firstAt: UnixMs,
  nextAt: UnixMs,
  alarm: t.keyof({ none: null, due: null, told: null, over: null }),
})
type SetbackRow = t.TypeOf<typeof SetbackRow>

const setback = ({ alarm: _, ...known }: SetbackRow): Setback => known

const CountRow = t.strict({ loop: Loop, failure: FailureTag, count: t.number })
/** How many items fail in a loop, by the kind of failure. */
export type SetbackCount = t.TypeOf<typeof CountRow>

const select = `SELECT environment, merchant_id AS merchantId, loop, item AS id, failure, cause, attempts,
  first_at AS firstAt, next_at AS nextAt, alarm FROM setbacks`

/** A cause may be as long as a stack trace. */
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
  const read = (where: string) => query(database, SetbackRow, `${select} ${where}`)
  const all = read(`WHERE environment = ? AND loop = ? AND ${living}`)
  const find = read(one)
  const put = database.prepare('INSERT OR REPLACE INTO setbacks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const forget = database.prepare(`DELETE FROM setbacks ${one} AND alarm IN ('none', 'due')`)
  const end = database.prepare(`UPDATE setbacks SET alarm = 'over' ${one} AND alarm = 'told'`)
  const next = database.prepare(`SELECT min(next_at) AS next_at FROM setbacks WHERE environment = ? AND ${living}`)
  const alarmed = read(
    "WHERE environment = ? AND alarm IN ('due', 'told') ORDER BY first_at, loop, merchant_id, item LIMIT ?",
  )
  const counted = query(
    database,
    CountRow,
    `SELECT loop, failure, count(*) AS count FROM setbacks WHERE environment = ? AND ${living} GROUP BY loop, failure`,
  )
  const unannounced = read("WHERE environment = ? AND alarm IN ('due', 'over')")
  const bury = database.prepare(`DELETE FROM setbacks ${one} AND alarm = 'over'`)
  const tell = database.prepare(`UPDATE setbacks SET alarm = 'told' ${one} AND alarm = 'due'`)
  const drop = database.prepare(`DELETE FROM setbacks ${one}`)
  const spoken = database.prepare(
    "SELECT 1 FROM setbacks WHERE environment = ? AND loop = ? AND merchant_id = ? AND alarm <> 'none' LIMIT 1",
  )
  const silent = read("WHERE environment = ? AND loop = ? AND merchant_id = ? AND alarm = 'none' LIMIT 1")
  const inherit = database.prepare(`UPDATE setbacks SET alarm = 'told' ${one}`)
  const keyOf = (loop: Loop, { environment, merchantId, id }: Item) => [environment, loop, merchantId, id] as const
  let recorded = 0
  return {
    of: (environment, loop) => all.all(environment, loop).map(setback),
    record: (loop, item, { failure, cause }, now) => {
      recorded += 1
      const row = find.one(...keyOf(loop, item))
      const known = row === null || row.alarm === 'over' ? null : row
      const attempts = (known?.attempts ?? 0) + 1
      const { environment, merchantId, id } = item
      const isNew = isAlarming(failure, attempts) && spoken.get(environment, loop, merchantId) === undefined
      const alarm = alarmAfter(row?.alarm ?? 'none', isNew)
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
        const heir = silent.one(environment, loop, merchantId)
        if (heir === null) end.run(...keyOf(loop, item))
        else {
          drop.run(...keyOf(loop, item))
          inherit.run(...keyOf(loop, heir))
        }
      }),
    nextDue: (environment) => {
      const at = next.get(environment)?.next_at
      return typeof at === 'number' ? at : null
    },
    alarmed: (environment, most) => alarmed.all(environment, most).map(setback),
    counts: (environment) => counted.all(environment),
    takeNotifications: (environment) =>
      unannounced.all(environment).flatMap((row): ReadonlyArray<SetbackNotification> => {
        const known = setback(row)
        const isOver = row.alarm === 'over'
        const taken = (isOver ? bury : tell).run(...keyOf(known.loop, known))
        if (taken.changes === 0) return []
        return [{ _tag: isOver ? 'MerchantSetBackOver' : 'MerchantSetBack', ...known }]
      }),
    recorded: () => recorded,
  }
}

/** A setback that an operator has heard of stays so; if its end was not announced yet, it goes on. */
const alarmAfter = (before: SetbackRow['alarm'], isNew: boolean): SetbackRow['alarm'] => {
  switch (before) {
    case 'none':
      return isNew ? 'due' : 'none'
    case 'due':
      return 'due'
    case 'told':
    case 'over':
      return 'told'
  }
}
