import { UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { type LegMemory, type RateMemory, type Rational, rational } from '@quittance/ledger'
import * as t from 'io-ts'
import { orNull, query } from '../sql/query.ts'

/** The rates that quotes remember of each pair, so that they notice a sudden jump. */
export interface RateMemories {
  readonly load: (pairs: ReadonlyArray<string>) => RateMemory
  readonly save: (memory: RateMemory) => void
}

/** Kept in memory. */
export const processMemory = (): RateMemories => {
  let known: RateMemory = new Map()
  return {
    load: () => known,
    save: (memory) => {
      known = new Map([...known, ...memory])
    },
  }
}

const Row = t.strict({
  pair: t.string,
  accepted: t.string,
  jump: orNull(t.string),
  jump_seen_at: orNull(UnixMs),
  jump_confirmed_at: orNull(UnixMs),
})

const fraction = ({ n, d }: Rational): string => `${n}/${d}`
const fromFraction = (text: string): Rational => {
  const [numerator = '', denominator = ''] = text.split('/')
  return rational(BigInt(numerator), BigInt(denominator))
}

const rowOf = ({ accepted, jump }: LegMemory) =>
  [
    fraction(accepted),
    jump === null ? null : fraction(jump.rate),
    jump?.seenAt ?? null,
    jump?.confirmedAt ?? null,
  ] as const

const fromRow = (row: t.TypeOf<typeof Row>): LegMemory => ({
  accepted: fromFraction(row.accepted),
  jump:
    row.jump === null || row.jump_seen_at === null
      ? null
      : { rate: fromFraction(row.jump), seenAt: row.jump_seen_at, confirmedAt: row.jump_confirmed_at },
})

/**
 * Kept in the file of the cursors, so that a restart goes on from the last accepted rates and unconfirmed jumps. Processes
 * that have the file open share it.
 */
export const sqliteRateMemory = (database: SqlDatabase): RateMemories => {
  database.execute(`CREATE TABLE IF NOT EXISTS rate_memory (
    pair TEXT PRIMARY KEY, accepted TEXT NOT NULL, jump TEXT, jump_seen_at INTEGER, jump_confirmed_at INTEGER
  ) STRICT`)
  const find = query(database, Row, 'SELECT * FROM rate_memory WHERE pair = ?')
  const put = database.prepare('INSERT OR REPLACE INTO rate_memory VALUES (?, ?, ?, ?, ?)')
  const known = (pair: string): LegMemory | null => {
    const row = find.one(pair)
    return row === null ? null : fromRow(row)
  }
  return {
    load: (pairs) =>
      new Map(
        pairs.flatMap((pair) => {
          const memory = known(pair)
          return memory === null ? [] : [[pair, memory]]
        }),
      ),
    save: (memory) => {
      const changed = [...memory].filter(([pair, leg]) => {
        const before = known(pair)
        return before === null || rowOf(before).join() !== rowOf(leg).join()
      })
      // Most quotes change nothing, and a commit waits for the disk.
      if (changed.length === 0) return
      database.transaction(() => {
        for (const [pair, leg] of changed) put.run(pair, ...rowOf(leg))
      })
    },
  }
}
