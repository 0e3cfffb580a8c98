import { Environment, UnixMs } from '@quittance/domain'
import type { Sql } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Breach, InvariantName, type Violation } from './invariant.ts'
import { query, write } from './sql/query.ts'

/** The present violations, and how far the log was checked for them. */
export interface Violations {
  /** The position in the log up to which an environment's events were checked. */
  readonly checkedTo: (environment: Environment) => Promise<bigint>
  readonly advance: (environment: Environment, position: bigint) => Promise<void>
  /** Replaces the violations about a subject; returns the new ones. */
  readonly set: (
    environment: Environment,
    subject: string,
    breaches: ReadonlyArray<Breach>,
    at: UnixMs,
  ) => Promise<ReadonlyArray<Violation>>
  /** The oldest first. */
  readonly present: (environment: Environment) => Promise<ReadonlyArray<Violation>>
}

const ViolationRow: t.Type<Violation, unknown> = t.strict({
  environment: Environment,
  subject: t.string,
  invariant: InvariantName,
  detail: t.string,
  foundAt: UnixMs,
})

export const violationTables = `
  CREATE TABLE IF NOT EXISTS invariants_checked (environment TEXT PRIMARY KEY, position TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS invariant_violations (
    environment TEXT NOT NULL, subject TEXT NOT NULL, invariant TEXT NOT NULL, detail TEXT NOT NULL,
    found_at INTEGER NOT NULL, PRIMARY KEY (environment, subject, invariant)
  ) STRICT`

const checked = query(t.strict({ position: t.string }), 'SELECT position FROM invariants_checked WHERE environment = ?')
const advance = write(
  `INSERT INTO invariants_checked VALUES (?, ?)
   ON CONFLICT (environment) DO UPDATE SET position = excluded.position`,
)
const select = `SELECT environment, subject, invariant, detail, found_at AS "foundAt" FROM invariant_violations
  WHERE environment = ?`
const all = query(ViolationRow, `${select} ORDER BY found_at, subject, invariant`)
const about = query(ViolationRow, `${select} AND subject = ?`)
const remove = write('DELETE FROM invariant_violations WHERE environment = ? AND subject = ?')
const add = write('INSERT INTO invariant_violations VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')

/** Beside the cursors, so that a violation outlives the process that found it. */
export const violations = ({ run }: Sql): Violations => ({
  checkedTo: async (environment) => BigInt((await run(checked.one(environment)))?.position ?? 0),
  advance: (environment, to) => run(advance(environment, to.toString())),
  set: async (environment, subject, breaches, at) => {
    // Most subjects have none, and had none: that takes no lock.
    if (breaches.length === 0 && (await run(about.all(environment, subject))).length === 0) return []
    return run(function* () {
      const known = yield* about.all(environment, subject)()
      if (known.length > 0) yield* remove(environment, subject)()
      const found: Array<Violation> = []
      for (const { invariant, detail } of breaches) {
        const before = known.find((each) => each.invariant === invariant)
        yield* add(environment, subject, invariant, detail, before?.foundAt ?? at)()
        if (before === undefined) found.push({ environment, subject, invariant, detail, foundAt: at })
      }
      return found
    })
  },
  present: (environment) => run(all.all(environment)),
})
