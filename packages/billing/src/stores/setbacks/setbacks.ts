import { Environment, UnixMs, unixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import type { Scope } from '@quittance/projections'
import * as t from 'io-ts'
import { exists, isChanged, orNull, query, write } from '../sql/query.ts'
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
  readonly of: (environment: Environment, loop: Loop) => Promise<ReadonlyArray<Setback>>
  /** Counts another failed attempt, and returns when the next one is due. */
  readonly record: (loop: Loop, item: Item, failed: Failed, now: UnixMs) => Promise<Setback>
  /** Ends a setback: the item has succeeded, or nothing is left to do. */
  readonly clear: (loop: Loop, item: Item) => Promise<void>
  /** When the next attempt is due (Unix milliseconds), which may be in the past. Null without setbacks. */
  readonly nextDue: (environment: Environment) => Promise<number | null>
  /** At most `most` setbacks that alarms were raised for, the oldest first. */
  readonly alarmed: (environment: Environment, most: number) => Promise<ReadonlyArray<Setback>>
  readonly counts: (environment: Environment) => Promise<ReadonlyArray<SetbackCount>>
  /** The notifications that are due; only one process gets each of them. */
  readonly takeNotifications: (environment: Environment) => Promise<ReadonlyArray<SetbackNotification>>
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

const select = `SELECT environment, merchant_id AS "merchantId", loop, item AS id, failure, cause, attempts,
  first_at AS "firstAt", next_at AS "nextAt", alarm FROM setbacks`

/** A cause may be as long as a stack trace. */
const longestCause = 500

export const setbackTable = `CREATE TABLE IF NOT EXISTS setbacks (
  environment TEXT NOT NULL, merchant_id TEXT NOT NULL, loop TEXT NOT NULL, item TEXT NOT NULL,
  failure TEXT NOT NULL, cause TEXT NOT NULL, attempts INTEGER NOT NULL,
  first_at INTEGER NOT NULL, next_at INTEGER NOT NULL, alarm TEXT NOT NULL,
  PRIMARY KEY (environment, loop, merchant_id, item)
) STRICT`

const one = 'WHERE environment = ? AND loop = ? AND merchant_id = ? AND item = ?'
const living = "alarm <> 'over'"
const read = (where: string) => query(SetbackRow, `${select} ${where}`)
const all = read(`WHERE environment = ? AND loop = ? AND ${living}`)
const find = read(one)
const put = write(
  `INSERT INTO setbacks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT (environment, loop, merchant_id, item) DO UPDATE
   SET failure = excluded.failure, cause = excluded.cause, attempts = excluded.attempts, first_at = excluded.first_at,
     next_at = excluded.next_at, alarm = excluded.alarm`,
)
const forget = isChanged(`DELETE FROM setbacks ${one} AND alarm IN ('none', 'due')`)
const end = write(`UPDATE setbacks SET alarm = 'over' ${one} AND alarm = 'told'`)
const next = query(
  t.strict({ at: orNull(t.number) }),
  `SELECT min(next_at) AS at FROM setbacks WHERE environment = ? AND ${living}`,
)
const alarmed = read(
  "WHERE environment = ? AND alarm IN ('due', 'told') ORDER BY first_at, loop, merchant_id, item LIMIT ?",
)
const counted = query(
  CountRow,
  `SELECT loop, failure, count(*) AS count FROM setbacks WHERE environment = ? AND ${living} GROUP BY loop, failure`,
)
const unannounced = read("WHERE environment = ? AND alarm IN ('due', 'over')")
const bury = write(`DELETE FROM setbacks ${one} AND alarm = 'over'`)
const tell = write(`UPDATE setbacks SET alarm = 'told' ${one} AND alarm = 'due'`)
const drop = write(`DELETE FROM setbacks ${one}`)
const spoken = exists(
  "SELECT 1 FROM setbacks WHERE environment = ? AND loop = ? AND merchant_id = ? AND alarm <> 'none' LIMIT 1",
)
const silent = read("WHERE environment = ? AND loop = ? AND merchant_id = ? AND alarm = 'none' LIMIT 1")
const inherit = write(`UPDATE setbacks SET alarm = 'told' ${one}`)
const keyOf = (loop: Loop, { environment, merchantId, id }: Item) => [environment, loop, merchantId, id] as const

/** Beside the cursors, so that pauses and alarms outlive the process, and processes share them. */
export const setbacks = ({ run }: Sql): Setbacks => {
  let recorded = 0
  return {
    of: async (environment, loop) => (await run(all.all(environment, loop))).map(setback),
    record: (loop, item, { failure, cause }, now) => {
      recorded += 1
      return run(function* () {
        const row = yield* find.one(...keyOf(loop, item))()
        const known = row === null || row.alarm === 'over' ? null : row
        const attempts = (known?.attempts ?? 0) + 1
        const { environment, merchantId, id } = item
        const isNew = isAlarming(failure, attempts) && !(yield* spoken(environment, loop, merchantId)())
        const alarm = alarmAfter(row?.alarm ?? 'none', isNew)
        const firstAt = known?.firstAt ?? now
        const nextAt = unixMs(now + pauseMs(failure, attempts))
        const kept = cause.replaceAll('\0', '').slice(0, longestCause)
        yield* put(environment, merchantId, loop, id, failure, kept, attempts, firstAt, nextAt, alarm)()
        return { environment, merchantId, id, loop, failure, cause: kept, attempts, firstAt, nextAt }
      })
    },
    clear: (loop, item) =>
      run(function* () {
        const { environment, merchantId } = item
        if (yield* forget(...keyOf(loop, item))()) return
        const heir = yield* silent.one(environment, loop, merchantId)()
        if (heir === null) yield* end(...keyOf(loop, item))()
        else {
          yield* drop(...keyOf(loop, item))()
          yield* inherit(...keyOf(loop, heir))()
        }
      }),
    nextDue: async (environment) => (await run(next.one(environment)))?.at ?? null,
    alarmed: async (environment, most) => (await run(alarmed.all(environment, most))).map(setback),
    counts: (environment) => run(counted.all(environment)),
    takeNotifications: async (environment) => {
      // The first look takes no lock: most often there is none.
      if ((await run(unannounced.all(environment))).length === 0) return []
      return run(function* () {
        const taken: Array<SetbackNotification> = []
        for (const row of yield* unannounced.all(environment)()) {
          const known = setback(row)
          const isOver = row.alarm === 'over'
          yield* (isOver ? bury : tell)(...keyOf(known.loop, known))()
          taken.push({ _tag: isOver ? 'MerchantSetBackOver' : 'MerchantSetBack', ...known })
        }
        return taken
      })
    },
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
