/** A case of the suite that is shown outside of it, or that has no meaning for an adapter: where, or why, by adapter. */
export type Elsewhere = { readonly title: string; readonly answer: (adapter: string) => string }

const isSqlite = (adapter: string): boolean => adapter === 'SQLite'

export const elsewhere: ReadonlyArray<Elsewhere> = [
  {
    title: 'a torn file gives a clear error, and loses nothing that was acknowledged',
    answer: (adapter) => (isSqlite(adapter) ? 'sqlite/open.test.ts' : "the server's own file"),
  },
  {
    title: 'order does not follow a clock that goes back',
    answer: (adapter) => (isSqlite(adapter) ? 'sqlite/group-commit.test.ts' : 'eventstoredb/store.test.ts'),
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
