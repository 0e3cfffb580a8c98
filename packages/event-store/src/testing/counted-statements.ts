import Database from 'better-sqlite3'

const methods = ['run', 'get', 'all'] as const
type Method = (this: Database.Statement, ...parameters: ReadonlyArray<unknown>) => unknown

/**
 * Counts the prepared statements that all connections of this process run, by what they begin with and their table, and the
 * events that those which read streams answer.
 */
export const countedStatements = () => {
  const database = new Database(':memory:')
  const statement: Record<(typeof methods)[number], Method> = Object.getPrototypeOf(database.prepare('SELECT 1'))
  database.close()
  const counts = new Map<string, number>()
  let events = 0
  const originals = methods.map((method) => [method, statement[method]] as const)
  for (const [method, original] of originals) {
    statement[method] = function (...parameters) {
      const name = nameOf(this.source)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const answer = original.apply(this, [...parameters])
      if (name === 'select events') events += eventsIn(answer)
      return answer
    }
  }
  return {
    /** The counts since the last time. */
    take: (): Readonly<Record<string, number>> => {
      const taken = Object.fromEntries([...counts].sort())
      counts.clear()
      return taken
    },
    /** The events since the last time. */
    takeEvents: (): number => {
      const taken = events
      events = 0
      return taken
    },
    stop: () => {
      for (const [method, original] of originals) statement[method] = original
    },
  }
}

/** Of a part of a stream, which comes as one text of JSON. */
const eventsIn = (answer: unknown): number => {
  const { events } = Object(answer)
  return typeof events === 'string' ? JSON.parse(events).length : 0
}

/** Such as `insert checkouts`: without the version of a table. */
const nameOf = (source: string): string => {
  const [verb = ''] = source.toLowerCase().trim().split(/\s+/, 1)
  const table = /\b(?:from|into|update|pragma)\s+"?([a-z_]+?)(?:_\d+)?"?(?=[\s(]|$)/i.exec(source)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}
