import type { SqlDatabase, SqlRow, SqlValue } from '@quittance/event-store'
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'

/** The columns that every read model's table has. */
export type ReadModelTable = {
  id: string
  merchant_id: string
  environment: string
  listed_under: string | null
  status: string | null
  lookup_key: string | null
  due_at: number | null
  revision: number
  body: string
}

/** Writes SQL only; it runs nothing. */
export const sqlBuilder = new Kysely<Record<string, ReadModelTable>>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** A value that is given at each run: a statement is compiled and prepared once. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
export const given = <A>(name: string): RawBuilder<A> => sql<A>`${new Parameter(name)}`

type Values = Readonly<Record<string, SqlValue>>
export type Prepared = {
  readonly run: (values: Values) => void
  readonly get: (values: Values) => SqlRow | undefined
  readonly all: (values: Values) => ReadonlyArray<SqlRow>
}

export const prepare = (database: SqlDatabase, query: Compilable | CompiledQuery): Prepared => {
  const compiled = 'compile' in query ? query.compile() : query
  const statement = database.prepare(compiled.sql)
  const bind = (values: Values): ReadonlyArray<SqlValue> =>
    compiled.parameters.map((each) => (each instanceof Parameter ? valueNamed(values, each.name) : literal(each)))
  return {
    run: (values) => {
      statement.run(...bind(values))
    },
    get: (values) => statement.get(...bind(values)),
    all: (values) => statement.all(...bind(values)),
  }
}

/** Builds queries once for a table: every connection that opens it prepares the same ones. */
export const oncePerTable = <Queries>(build: (table: string) => Queries): ((table: string) => Queries) => {
  const built = new Map<string, Queries>()
  return (table) => {
    const queries = built.get(table) ?? build(table)
    built.set(table, queries)
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
