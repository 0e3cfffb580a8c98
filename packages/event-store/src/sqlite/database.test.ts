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

  it('returns what its work returns, and keeps what it wrote', () => {
    expect(sql.transaction(() => insert('a').changes)).toBe(1)
    expect(ids()).toEqual(['a'])
  })

  it('leaves nothing behind when its work throws, and throws the same', () => {
    expect(() =>
      sql.transaction(() => {
        insert('a')
        fail()
      }),
    ).toThrow('no')
    expect(ids()).toEqual([])
  })

  it('fails alone within another one', () => {
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

  it('says so when SQLite has rolled back everything around it', () => {
    expect(() =>
      sql.transaction(() => {
        insert('a')
        sql.transaction(() => sql.execute("INSERT OR ROLLBACK INTO rows VALUES ('a')"))
      }),
    ).toThrow('SQLite rolled back the whole transaction')
    expect(ids()).toEqual([])
  })
})
