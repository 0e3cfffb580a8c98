/** A case tested elsewhere, or meaningless for an adapter: where, or why. */
export type Elsewhere = { readonly title: string; readonly answer: (adapter: string) => string }

const isSqlite = (adapter: string): boolean => adapter.startsWith('SQLite')
const isPostgres = (adapter: string): boolean => adapter === 'PostgreSQL'

const testOfClock = (adapter: string): string => {
  if (isSqlite(adapter)) return 'sqlite/group-commit.test.ts'
  return isPostgres(adapter) ? 'postgres/store.pg.test.ts' : 'eventstoredb/store.test.ts'
}

export const elsewhere: ReadonlyArray<Elsewhere> = [
  {
    title: 'a torn file gives a clear error and loses no acknowledged event',
    answer: (adapter) => (isSqlite(adapter) ? 'sqlite/open.test.ts' : "the server's own file"),
  },
  {
    title: 'a clock that goes back does not change the order',
    answer: testOfClock,
  },
  {
    title: 'stored fixtures of earlier versions are upcast',
    answer: () => 'with the aggregates: the store keeps type and schemaVersion',
  },
  {
    title: 'an append without an expected revision ("any", "stream exists")',
    answer: () => 'the port has no words for it; the classic sequences with "any" are put at every revision',
  },
]
