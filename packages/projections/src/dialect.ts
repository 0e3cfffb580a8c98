import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
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
type SqlBuilder = Kysely<Record<string, ReadModelTable>>

/** How a database wants the same queries to be written. */
export type Dialect = {
  readonly database: 'SQLite' | 'PostgreSQL'
  readonly builder: SqlBuilder
  /** A text column whose own index is not to be chosen for a condition. */
  readonly apart: (column: string) => RawBuilder<string>
  /** A number in the body, to be summed up. */
  readonly numberIn: (field: string) => RawBuilder<number>
  /** A whole number in the body, which it may hold as digits. */
  readonly integerIn: (field: string) => RawBuilder<number>
  /** A text or a number in the body, as text, by the names that lead to it; null where there is none. */
  readonly textAt: (path: ReadonlyArray<string>) => RawBuilder<string | null>
  /** How the rows of all owners are read in the order of their ids. */
  readonly ofEveryone: {
    readonly after: (id: RawBuilder<string>) => RawBuilder<boolean>
    readonly before: (id: string) => RawBuilder<boolean>
    readonly order: RawBuilder<unknown>
  }
  /** The texts of a JSON array. */
  readonly textsIn: (json: RawBuilder<string>) => RawBuilder<string>
}

const bodyOfSqlite = (field: string) => sql<number>`body ->> ${sql.lit(field)}`
export const sqlite: Dialect = {
  database: 'SQLite',
  builder: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  apart: (column) => sql`+${sql.ref(column)}`,
  numberIn: bodyOfSqlite,
  integerIn: (field) => sql`cast(${bodyOfSqlite(field)} as integer)`,
  textAt: (path) => sql`body ->> ${sql.lit(`$.${path.join('.')}`)}`,
  ofEveryone: {
    after: (id) => sql`${sql.ref('id')} > ${id}`,
    before: (id) => sql`${sql.ref('id')} < ${id}`,
    order: sql.ref('id'),
  },
  textsIn: (json) => sql`SELECT value FROM json_each(${json})`,
}

const bodyOfPostgres = (field: string) => sql<number>`body::json ->> ${sql.lit(field)}`
export const postgres: Dialect = {
  database: 'PostgreSQL',
  builder: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  apart: (column) => sql`(${sql.ref(column)} || '')`,
  numberIn: (field) => sql`(${bodyOfPostgres(field)})::numeric`,
  integerIn: (field) => sql`(${bodyOfPostgres(field)})::bigint`,
  textAt: (path) => sql`body::json #>> ${sql.lit(`{${path.join(',')}}`)}`,
  // The operators of the unique index, which no other list is led to.
  ofEveryone: {
    after: (id) => sql`${sql.ref('id')} ~>~ ${id}`,
    before: (id) => sql`${sql.ref('id')} ~<~ ${id}`,
    order: sql`${sql.ref('id')} USING ~<~`,
  },
  textsIn: (json) => sql`SELECT json_array_elements_text(${json}::json)`,
}
