import { secondMs } from '@quittance/domain'
import { mapProgram, type Sql, type SqlProgram, type SqlRun } from '@quittance/event-store'
import * as t from 'io-ts'
import { type Fence, RoleLost } from '../kernel/fence.ts'
import { query } from './sql/query.ts'

/**
 * A role that one process has, of all that share a database. The epoch is another one each time that the role changes
 * hands.
 */
export type HeldRole = { readonly name: string; readonly epoch: number }

/** How long a role stays without being renewed. */
export const usualLeaseMs = 6 * secondMs

/** The roles of a database, for one process. All times are the database's, so that processes need no common clock. */
export interface Roles {
  /**
   * Takes a role that is free, or that another process has not renewed in time; null while another process has it. Where this
   * process has it already, renews it once less than two thirds of its time is left.
   */
  readonly take: (name: string) => Promise<HeldRole | null>
  /** Prolongs a role; false if another process has it. */
  readonly renew: (role: HeldRole) => Promise<boolean>
  /** Gives a role away, so that another process takes it at once. */
  readonly release: (role: HeldRole) => Promise<void>
  /** Guards a transaction: while it lasts, the role does not change hands. Throws `RoleLost` if it has, or has ended. */
  readonly fence: (role: HeldRole) => Fence
}

/** `keepKeys` keeps the epoch, because it is in a unique index. */
export const roleTable = `CREATE TABLE IF NOT EXISTS worker_roles (
  name TEXT PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT NOT NULL, until INTEGER NOT NULL, UNIQUE (name, epoch)
) STRICT`

const Standing = t.strict({ epoch: t.number, holder: t.string, leftMs: t.number })
const Epoch = t.strict({ epoch: t.number })

/** Processes that take a role at the same moment wait for one another, instead of running again. */
const oneStatement: SqlRun = {
  isolation: { level: 'read committed', because: 'it checks and changes its one row in one statement' },
}

/**
 * Each change of a role is one statement, so that no process, wherever it is stopped, keeps a role's row from the others.
 * `holder` names this process among all that ever were. `sql` is not fenced: who has lost one role may take another.
 */
export const roles = (sql: Sql, holder: string, leaseMs: number = usualLeaseMs): Roles => {
  const run = <A>(program: SqlProgram<A>): Promise<A> => sql.run(program, oneStatement)
  const { now, keepKeys } = sql.dialect
  const find = query(Standing, `SELECT epoch, holder, until - ${now} AS "leftMs" FROM worker_roles WHERE name = ?`)
  const begin = query(
    Epoch,
    `INSERT INTO worker_roles (name, epoch, holder, until) VALUES (?, 1, ?, ${now} + ?)
     ON CONFLICT DO NOTHING RETURNING epoch`,
  )
  const takeOver = query(
    Epoch,
    `UPDATE worker_roles SET epoch = epoch + 1, holder = ?, until = ${now} + ?
     WHERE name = ? AND epoch = ? AND until <= ${now} RETURNING epoch`,
  )
  // Leaves the keys alone, so it does not wait for transactions behind the fence.
  const prolong = query(
    Epoch,
    `UPDATE worker_roles SET until = ${now} + ? WHERE name = ? AND epoch = ? AND holder = ? RETURNING epoch`,
  )
  const standing = query(
    Epoch,
    `SELECT epoch FROM worker_roles WHERE name = ? AND epoch = ? AND holder = ? AND until > ${now} ${keepKeys}`,
  )

  const held = async (name: string, taken: SqlProgram<{ readonly epoch: number } | null>): Promise<HeldRole | null> => {
    const row = await run(taken)
    return row === null ? null : { name, epoch: row.epoch }
  }
  return {
    take: async (name) => {
      const found = await run(find.one(name))
      if (found === null) return held(name, begin.one(name, holder, leaseMs))
      const { epoch, leftMs } = found
      if (found.holder !== holder) return leftMs > 0 ? null : held(name, takeOver.one(holder, leaseMs, name, epoch))
      return leftMs * 3 < leaseMs * 2 ? held(name, prolong.one(leaseMs, name, epoch, holder)) : { name, epoch }
    },
    renew: async ({ name, epoch }) => (await run(prolong.one(leaseMs, name, epoch, holder))) !== null,
    release: async ({ name, epoch }) => {
      await run(prolong.one(0, name, epoch, holder))
    },
    fence: ({ name, epoch }) =>
      mapProgram(standing.one(name, epoch, holder), (row) => {
        if (row === null) throw new RoleLost(name)
      }),
  }
}
