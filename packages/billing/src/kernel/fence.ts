import { AsyncLocalStorage } from 'node:async_hooks'
import type { EventStore, Sql, SqlProgram } from '@quittance/event-store'

/** Throws inside a transaction, which then writes nothing, once this process no longer has the role that it works in. */
export type Fence = SqlProgram<void>

/** Thrown by a fence. Another process may have the role, so there is nothing to repair and nobody to tell. */
export class RoleLost extends Error {
  override readonly name = 'RoleLost'
  readonly role: string
  constructor(role: string) {
    super(`This process has lost the role ${role}`)
    this.role = role
  }
}

const held = new AsyncLocalStorage<Fence>()

/**
 * Runs work in which every write passes this fence, through `fencedStore` and `fencedSql`. So does what the work leaves
 * running behind it.
 */
export const whileHolding = <A>(fence: Fence, work: () => Promise<A>): Promise<A> => held.run(fence, work)

/** A program that its fence guards, in one transaction. */
const behind = <A>(fence: Fence, program: SqlProgram<A>): SqlProgram<A> =>
  function* () {
    yield* fence()
    return yield* program()
  }

const nothing: SqlProgram<void> = function* () {}

/**
 * The log of a database that also has the roles: an append of work in a role commits only while the role lasts, or is
 * refused by `RoleLost`. Other appends pass as they are.
 */
export const fencedStore = (store: EventStore): EventStore => ({
  ...store,
  append: (stream, head, events, alongside) => async () => {
    const fence = held.getStore()
    const guarded = fence === undefined ? alongside : behind(fence, alongside ?? nothing)
    return store.append(stream, head, events, guarded)()
  },
})

/**
 * The database that has the roles: a program of work in a role commits only while the role lasts. A lone SELECT runs
 * without the fence. It writes nothing, and what follows from its answer is written through a fence.
 * Errors: `run` also rejects with `RoleLost`.
 */
export const fencedSql = (sql: Sql): Sql => ({
  ...sql,
  run: (program, options) => {
    const fence = held.getStore()
    return sql.run(fence === undefined || isLoneSelect(program) ? program : behind(fence, program), options)
  },
})

/** A program may run any number of times from its beginning, so its first statement is known without running it. */
const isLoneSelect = (program: SqlProgram<unknown>): boolean => {
  if (program.isLone !== true) return false
  const { value, done } = program().next()
  return done !== true && /^\s*SELECT\b/i.test(value.text)
}
