import { UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import { type LegMemory, type RateMemory, type Rational, rational } from '@quittance/ledger'
import * as t from 'io-ts'
import { orNull, query, write } from '../sql/query.ts'

/** The rates that quotes remember of each pair, so that they notice a sudden jump. */
export interface RateMemories {
  readonly load: (pairs: ReadonlyArray<string>) => Promise<RateMemory>
  readonly save: (memory: RateMemory) => Promise<void>
}

/** Kept in memory. */
export const processMemory = (): RateMemories => {
  let known: RateMemory = new Map()
  return {
    load: async () => known,
    save: async (memory) => {
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

export const rateMemoryTable = `CREATE TABLE IF NOT EXISTS rate_memory (
  pair TEXT PRIMARY KEY, accepted TEXT NOT NULL, jump TEXT, jump_seen_at INTEGER, jump_confirmed_at INTEGER
) STRICT`

const put = write(
  `INSERT INTO rate_memory VALUES (?, ?, ?, ?, ?) ON CONFLICT (pair) DO UPDATE
   SET accepted = excluded.accepted, jump = excluded.jump, jump_seen_at = excluded.jump_seen_at,
     jump_confirmed_at = excluded.jump_confirmed_at`,
)

/**
 * Kept beside the cursors, so that a restart goes on from the last accepted rates and unconfirmed jumps. All processes share
 * it.
 */
export const rateMemory = ({ run, dialect }: Sql): RateMemories => {
  const find = query(Row, `SELECT * FROM rate_memory WHERE pair IN (${dialect.textsOf})`)
  const load: RateMemories['load'] = async (pairs) =>
    new Map((await run(find.all(JSON.stringify(pairs)))).map((row) => [row.pair, fromRow(row)]))
  return {
    load,
    save: async (memory) => {
      const known = await load([...memory.keys()])
      const changed = [...memory].filter(([pair, leg]) => {
        const before = known.get(pair)
        return before === undefined || rowOf(before).join() !== rowOf(leg).join()
      })
      // Most quotes change nothing, and a commit waits for the disk.
      if (changed.length === 0) return
      await run(function* () {
        for (const [pair, leg] of changed) yield* put(pair, ...rowOf(leg))()
      })
    },
  }
}
