import type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from '@quittance/event-store'
import { type Compilable, type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { type Dialect, sqlite } from './dialect.ts'

/** Writes SQL of SQLite only; it runs nothing. */
export const sqlBuilder = sqlite.builder

/** A value that is given at each run: a statement is compiled and prepared once. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
export const given = <A>(name: string): RawBuilder<A> => sql<A>`${new Parameter(name)}`

export type Values = Readonly<Record<string, SqlValue>>
export type Prepared = {
  readonly run: (values: Values) => void
  readonly get: (values: Values) => SqlRow | undefined
  readonly all: (values: Values) => ReadonlyArray<SqlRow>
}

/** Prepares a query when it is first run: of the hundreds of a service, many are not for hours. */
export const prepare = (database: SqlDatabase, query: Compilable | CompiledQuery): Prepared => {
  const compiled = 'compile' in query ? query.compile() : query
  let known: SqlStatement | null = null
  const statement = (): SqlStatement => {
    known ??= database.prepare(compiled.sql)
    return known
  }
  return {
    run: (values) => {
      statement().run(...bind(compiled, values))
    },
    get: (values) => statement().get(...bind(compiled, values)),
    all: (values) => statement().all(...bind(compiled, values)),
  }
}

/** The parameters of a run, in their order. */
export const bind = ({ parameters }: CompiledQuery, values: Values): ReadonlyArray<SqlValue> =>
  parameters.map((each) => (each instanceof Parameter ? valueNamed(values, each.name) : literal(each)))

/** Builds queries once for a table of a database: every connection that opens it prepares the same ones. */
export const oncePerTable = <Queries>(
  build: (dialect: Dialect, table: string) => Queries,
): ((dialect: Dialect, table: string) => Queries) => {
  const built = new Map<string, Queries>()
  return (dialect, table) => {
    const key = `${dialect.database} ${table}`
    const queries = built.get(key) ?? build(dialect, table)
    built.set(key, queries)
    return queries
  }
}

const valueNamed = (values: Values, name: string): SqlValue => {
  const value = values[name]
  if (value === undefined) throw new Error(`no value for the parameter ${name}`)
  return value
}

const literal = (value: unknown): SqlValue => {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  throw new Error(`not a literal of SQL: ${String(value)}`)
}
