import { openDatabase } from './database.ts'

describe('a SQL transaction', () => {
  const sql = openDatabase(':memory:', { durability: 'full' })
  sql.execute('CREATE TABLE rows (id TEXT PRIMARY KEY) STRICT')
  beforeEach(() => sql.execute('DELETE FROM rows'))
  afterAll(() => sql.close())
  const insert = (id: string) => sql.prepare('INSERT INTO rows VALUES (?)').run(id)
  const fail = (): never => {
    throw new Error('no')
  }
  const ids = (): ReadonlyArray<unknown> =>
    sql
      .prepare('SELECT id FROM rows ORDER BY id')
      .all()
      .map(({ id }) => id)

  it("a transaction returns its work's result and keeps its writes", () => {
    expect(sql.transaction(() => insert('a').changes)).toBe(1)
    expect(ids()).toEqual(['a'])
  })

  it('a transaction whose work throws writes nothing and rethrows', () => {
    expect(() =>
      sql.transaction(() => {
        insert('a')
        fail()
      }),
    ).toThrow('no')
    expect(ids()).toEqual([])
  })

  it('a nested transaction fails alone', () => {
    sql.transaction(() => {
      insert('a')
      expect(() =>
        sql.transaction(() => {
          insert('b')
          fail()
        }),
      ).toThrow('no')
      sql.transaction(() => insert('c'))
    })
    expect(ids()).toEqual(['a', 'c'])
  })

  it('reports when SQLite has rolled back the outer transaction', () => {
    expect(() =>
      sql.transaction(() => {
        insert('a')
        sql.transaction(() => sql.execute("INSERT OR ROLLBACK INTO rows VALUES ('a')"))
      }),
    ).toThrow('SQLite rolled back the whole transaction')
    expect(ids()).toEqual([])
  })
})
