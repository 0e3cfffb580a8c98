import Database from 'better-sqlite3'
import { sideVariable, stepVariable } from './deaths.ts'

// Loaded before the service: kills its process right before or right after the commit that appends a certain event.
const [step, side] = [process.env[stepVariable], process.env[sideVariable]]
const [type, category = ''] = step?.split(' of ') ?? []

type Statement = { readonly source: string; readonly run: (...values: ReadonlyArray<unknown>) => unknown }

const die = (): void => void process.kill(process.pid, 'SIGKILL')

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
}
