import { Environment, UnixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Breach, InvariantName, type Violation } from './invariant.ts'
import { query } from './sql/query.ts'

/** The present violations, and how far the log was checked for them. */
export interface Violations {
  /** The position in the log up to which an environment's events were checked. */
  readonly checkedTo: (environment: Environment) => bigint
  readonly advance: (environment: Environment, position: bigint) => void
  /** Replaces the violations about a subject; returns the new ones. */
  readonly set: (
    environment: Environment,
    subject: string,
    breaches: ReadonlyArray<Breach>,
    at: UnixMs,
  ) => ReadonlyArray<Violation>
  /** The oldest first. */
  readonly present: (environment: Environment) => ReadonlyArray<Violation>
}

const ViolationRow: t.Type<Violation, unknown> = t.strict({
  environment: Environment,
  subject: t.string,
  invariant: InvariantName,
  detail: t.string,
  foundAt: UnixMs,
})

/** In the file of the cursors, so that a violation outlives the process that found it. */
export const sqliteViolations = (database: SqlDatabase): Violations => {
  database.execute(`CREATE TABLE IF NOT EXISTS invariants_checked (
    environment TEXT PRIMARY KEY, position TEXT NOT NULL
  ) STRICT`)
  database.execute(`CREATE TABLE IF NOT EXISTS invariant_violations (
    environment TEXT NOT NULL, subject TEXT NOT NULL, invariant TEXT NOT NULL, detail TEXT NOT NULL,
    found_at INTEGER NOT NULL, PRIMARY KEY (environment, subject, invariant)
  ) STRICT`)
  const position = database.prepare('SELECT position FROM invariants_checked WHERE environment = ?')
  const advance = database.prepare('INSERT OR REPLACE INTO invariants_checked VALUES (?, ?)')
  const select = `SELECT environment, subject, invariant, detail, found_at AS foundAt FROM invariant_violations
    WHERE environment = ?`
  const all = query(database, ViolationRow, `${select} ORDER BY found_at, subject, invariant`)
  const about = query(database, ViolationRow, `${select} AND subject = ?`)
  const remove = database.prepare('DELETE FROM invariant_violations WHERE environment = ? AND subject = ?')
  const add = database.prepare('INSERT OR IGNORE INTO invariant_violations VALUES (?, ?, ?, ?, ?)')
  return {
    checkedTo: (environment) => BigInt(String(position.get(environment)?.position ?? 0)),
    advance: (environment, to) => void advance.run(environment, to.toString()),
    set: (environment, subject, breaches, at) => {
      const known = about.all(environment, subject)
      if (known.length > 0) remove.run(environment, subject)
      return breaches.flatMap(({ invariant, detail }) => {
        const before = known.find((each) => each.invariant === invariant)
        add.run(environment, subject, invariant, detail, before?.foundAt ?? at)
        return before === undefined ? [{ environment, subject, invariant, detail, foundAt: at }] : []
      })
    },
    present: (environment) => all.all(environment),
  }
}
