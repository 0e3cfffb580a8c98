import type { SqlDatabase } from '@quittance/event-store'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { integerIn, textIn } from '../store/columns.ts'
import { Faults, type Knob } from './faults.ts'

/** The network's fault knobs, stored in its database: they act in every process and survive restarts. */
export interface FaultStore {
  /** The active knobs, with their remaining counts. */
  readonly present: () => Faults
  /** Sets these knobs and turns off all others. */
  readonly set: (faults: Faults) => void
  /**
   * The knob's setting, for one answer that it could apply to; counts that answer. Undefined where it does not apply.
   */
  readonly take: <K extends Knob>(knob: K) => Faults[K] | undefined
}

type Kept = { readonly knob: string; readonly setting: unknown; readonly seen: number; readonly endsAt: number | null }

const Scope = t.partial({ times: t.number, every: t.number, for_ledgers: t.number })
const scopeOf = (setting: unknown): t.TypeOf<typeof Scope> => {
  const scope = Scope.decode(setting)
  return E.isRight(scope) ? scope.right : {}
}

/** `latestLedger` answers the last closed ledger, with which some knobs end. */
export const faultStore = (database: SqlDatabase, latestLedger: () => number): FaultStore => {
  const all = database.prepare('SELECT * FROM sandbox_fault')
  const clear = database.prepare('DELETE FROM sandbox_fault')
  const insert = database.prepare('INSERT INTO sandbox_fault (knob, setting, seen, ends_at) VALUES (?, ?, 0, ?)')
  const update = database.prepare('UPDATE sandbox_fault SET setting = ?, seen = ? WHERE knob = ?')
  const remove = database.prepare('DELETE FROM sandbox_fault WHERE knob = ?')

  /** The knobs that have not ended. */
  const kept = (): ReadonlyArray<Kept> => {
    const rows = all.all().map((row): Kept => {
      const endsAt = row.ends_at === null ? null : integerIn(row, 'ends_at')
      return {
        knob: textIn(row, 'knob'),
        setting: JSON.parse(textIn(row, 'setting')),
        seen: integerIn(row, 'seen'),
        endsAt,
      }
    })
    if (rows.every(({ endsAt }) => endsAt === null)) return rows
    const latest = latestLedger()
    return rows.flatMap((row) => {
      if (row.endsAt === null) return [row]
      const left = row.endsAt - latest
      return left > 0 ? [{ ...row, setting: { ...Object(row.setting), for_ledgers: left } }] : []
    })
  }

  /** Ignores knobs that this version cannot read. */
  const read = (rows: ReadonlyArray<Kept>): Faults => {
    const knobs = rows.map(({ knob, setting }) => [knob, setting] as const)
    const readable = knobs.filter(([knob, setting]) => E.isRight(Faults.decode({ [knob]: setting })))
    const decoded = Faults.decode(Object.fromEntries(readable))
    return E.isRight(decoded) ? decoded.right : {}
  }

  /** Counts an answer and says whether the knob applies to it. */
  const use = ({ knob, setting, seen }: Kept): boolean => {
    const { times, every = 1 } = scopeOf(setting)
    const applies = (seen + 1) % every === 0
    if (applies && times === 1) remove.run(knob)
    else {
      const left = applies && times !== undefined ? { ...Object(setting), times: times - 1 } : setting
      update.run(JSON.stringify(left), seen + 1, knob)
    }
    return applies
  }

  return {
    present: () => read(kept()),
    set: (faults) =>
      database.transaction(() => {
        clear.run()
        for (const [knob, setting] of Object.entries(faults)) {
          const { for_ledgers } = scopeOf(setting)
          insert.run(knob, JSON.stringify(setting), for_ledgers === undefined ? null : latestLedger() + for_ledgers)
        }
      }),
    take: (knob) => {
      const isKnob = (each: Kept) => each.knob === knob
      if (!kept().some(isKnob)) return undefined
      return database.transaction(() => {
        const rows = kept().filter(isKnob)
        const setting = read(rows)[knob]
        return rows.some(use) ? setting : undefined
      })
    },
  }
}
