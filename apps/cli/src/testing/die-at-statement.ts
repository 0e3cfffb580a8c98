import pg from 'pg'

/** Tells a process how many statements it survives, from the first one on that holds the text of the other variable. */
const stepVariable = 'QUITTANCE_TEST_DIE_AT_STATEMENT'
const firstVariable = 'QUITTANCE_TEST_COUNT_FROM'

// Loaded before a command: kills its process right before a statement that it sends to PostgreSQL.
const last = Number(process.env[stepVariable] ?? Number.POSITIVE_INFINITY)
const first = process.env[firstVariable] ?? ''
let steps = 0
let hasBegun = false
const textOf = (query: unknown): string => {
  if (typeof query === 'string') return query
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : ''
}
const send = pg.Client.prototype.query
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...values: Parameters<typeof send>) {
    hasBegun ||= textOf(values[0]).includes(first)
    if (hasBegun) steps += 1
    if (steps > last) process.kill(process.pid, 'SIGKILL')
    return Reflect.apply(send, this, values)
  },
})
