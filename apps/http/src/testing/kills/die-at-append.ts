import Database from 'better-sqlite3'
import pg from 'pg'
import { sideVariable, stepVariable } from './deaths.ts'

// Loaded before the service: kills its process right before or right after the commit that appends a certain event.
const [step, side] = [process.env[stepVariable], process.env[sideVariable]]
const [type, category = ''] = step?.split(' of ') ?? []

type Statement = { readonly source: string; readonly run: (...values: ReadonlyArray<unknown>) => unknown }

const die = (): void => void process.kill(process.pid, 'SIGKILL')

/** What the driver of PostgreSQL is asked to send. */
const sentBy = ([query]: ReadonlyArray<unknown>): { readonly text: string; readonly values: ReadonlyArray<string> } => {
  if (typeof query !== 'object' || query === null || !('text' in query)) return { text: String(query), values: [] }
  const values = 'values' in query && Array.isArray(query.values) ? query.values.map(String) : []
  return { text: String(query.text), values }
}

if (step !== undefined) {
  const database = new Database(':memory:')
  const statements: Statement = Object.getPrototypeOf(database.prepare('SELECT 1'))
  database.close()
  const { run } = statements
  let isComing = false
  Object.defineProperty(statements, 'run', {
    value: function (this: Statement, ...values: ReadonlyArray<unknown>): unknown {
      const { source } = this
      const isOfCategory = values.some((value) => String(value).startsWith(`${category}-`))
      if (source.startsWith('INSERT INTO events') && values.includes(type) && (category === '' || isOfCategory))
        isComing = true
      if (source === 'ROLLBACK') isComing = false
      const isCommitted = isComing && source === 'COMMIT'
      if (isCommitted && side === 'before') die()
      const done = Reflect.apply(run, this, values)
      if (isCommitted) die()
      return done
    },
  })
  const { query } = pg.Client.prototype
  const coming = new WeakSet<pg.Client>()
  Object.defineProperty(pg.Client.prototype, 'query', {
    value: function (this: pg.Client, ...given: ReadonlyArray<unknown>): unknown {
      const { text, values } = sentBy(given)
      const isOfCategory = values.some((value) => value.includes(`"${category}-`))
      const isOfType = values.some((value) => value.includes(`"${type}"`))
      if (text.startsWith('SELECT append_1') && isOfType && (category === '' || isOfCategory)) coming.add(this)
      if (text === 'ROLLBACK') coming.delete(this)
      const isCommitted = text === 'COMMIT' && coming.has(this)
      if (isCommitted && side === 'before') die()
      const answer: unknown = Reflect.apply(query, this, given)
      if (isCommitted && answer instanceof Promise) void answer.then(die)
      return answer
    },
  })
}
