import { changesOf, rowsOf, type Sql, type SqlProgram } from '../sql-program.ts'

/** A database of its own, and a second connection or pool to it. */
export type SqlUnderTest = { readonly sql: Sql; readonly other: Sql; readonly close: () => Promise<void> }

const columns = 'name TEXT PRIMARY KEY, number INTEGER, bytes BLOB'

/** The rules of every database that runs programs. */
export const describeSql = (name: string, open: () => Promise<SqlUnderTest>): void =>
  describe(`SQL programs on ${name}`, () => {
    let database: SqlUnderTest
    beforeEach(async () => {
      database = await open()
      for (const statement of database.sql.dialect.schema(`CREATE TABLE things (${columns}) STRICT`))
        await database.sql.run(changesOf(statement))
    })
    afterEach(() => database.close())

    const insert = (thing: string, number: number | bigint | null, bytes: Uint8Array | null = null) =>
      changesOf('INSERT INTO things (name, number, bytes) VALUES (?, ?, ?)', thing, number, bytes)
    const all = () => database.sql.run(rowsOf('SELECT name, number FROM things ORDER BY name'))
    const numberOf = (thing: string): SqlProgram<number> =>
      function* () {
        const [row] = yield* rowsOf('SELECT number FROM things WHERE name = ?', thing)()
        return Number(row?.number)
      }
    /** Reads a number, and then writes the next one: two at once would both write the same. */
    const increment = (thing: string): SqlProgram<number> =>
      function* () {
        const next = (yield* numberOf(thing)()) + 1
        yield* changesOf('UPDATE things SET number = ? WHERE name = ?', next, thing)()
        return next
      }

    it('texts, numbers, bytes and NULL are read as they were written', async () => {
      const { sql } = database
      await sql.run(insert('largest', Number.MAX_SAFE_INTEGER, Uint8Array.from([0, 1, 254, 255])))
      await sql.run(insert('smallest', BigInt(Number.MIN_SAFE_INTEGER)))
      await sql.run(insert("ü €'? 😀", null, new Uint8Array()))
      const rows = await sql.run(rowsOf('SELECT * FROM things ORDER BY name'))
      const plain = rows.map(({ bytes, ...row }) => ({
        ...row,
        bytes: bytes instanceof Uint8Array ? [...bytes] : bytes,
      }))
      expect(plain).toEqual([
        { name: 'largest', number: Number.MAX_SAFE_INTEGER, bytes: [0, 1, 254, 255] },
        { name: 'smallest', number: Number.MIN_SAFE_INTEGER, bytes: null },
        { name: "ü €'? 😀", number: null, bytes: [] },
      ])
    })

    it('a statement answers how many rows it changed, or the rows that it returns', async () => {
      const { sql } = database
      expect(await sql.run(insert('a', 1))).toBe(1)
      expect(await sql.run(changesOf('INSERT INTO things (name) VALUES (?) ON CONFLICT DO NOTHING', 'a'))).toBe(0)
      expect(await sql.run(changesOf('UPDATE things SET number = 5 WHERE name = ?', 'nobody'))).toBe(0)
      expect(await sql.run(rowsOf('UPDATE things SET number = ? RETURNING name, number', 7))).toEqual([
        { name: 'a', number: 7 },
      ])
      expect(await sql.run(rowsOf('SELECT count(*) AS count FROM things'))).toEqual([{ count: 1 }])
    })

    it('texts are compared by their bytes', async () => {
      const { sql } = database
      for (const thing of ['b', 'A', 'a', 'B', 'ä', '_']) await sql.run(insert(thing, 0))
      expect((await all()).map((row) => row.name)).toEqual(['A', 'B', '_', 'a', 'b', 'ä'])
    })

    it('a JSON array is a list of texts', async () => {
      const { sql } = database
      for (const thing of ['a', 'b', 'c']) await sql.run(insert(thing, 0))
      const among = `SELECT name FROM things WHERE name IN (${sql.dialect.textsOf}) ORDER BY name`
      expect(await sql.run(rowsOf(among, JSON.stringify(['c', 'a', 'z'])))).toEqual([{ name: 'a' }, { name: 'c' }])
    })

    it('a table is found by its name', async () => {
      const { sql } = database
      expect(await sql.run(rowsOf(sql.dialect.hasTable, 'things'))).toHaveLength(1)
      expect(await sql.run(rowsOf(sql.dialect.hasTable, 'nothing'))).toEqual([])
    })

    it('the time is that of the database, in whole milliseconds that have passed', async () => {
      const { sql } = database
      for (let read = 0; read < 200; read += 1) {
        const before = Date.now()
        const [row] = await sql.run(rowsOf(`SELECT ${sql.dialect.now} AS now`))
        expect(Number(row?.now)).toBeGreaterThanOrEqual(before)
        expect(Number(row?.now)).toBeLessThanOrEqual(Date.now())
      }
    })

    it('a program that throws writes nothing, and the next one works', async () => {
      const { sql } = database
      const failing: SqlProgram<void> = function* () {
        yield* insert('a', 1)()
        throw new Error('not today')
      }
      await expect(sql.run(failing)).rejects.toThrow('not today')
      const twice: SqlProgram<void> = function* () {
        yield* insert('b', 1)()
        yield* insert('b', 1)()
      }
      await expect(sql.run(twice)).rejects.toThrow()
      expect(await all()).toEqual([])
      expect(await sql.run(insert('c', 1))).toBe(1)
    })

    it('a program gets the error of its statement', async () => {
      const caught: Array<unknown> = []
      const program: SqlProgram<void> = function* () {
        try {
          yield* rowsOf('SELECT nothing FROM things')()
        } catch (cause) {
          caught.push(cause)
          throw new Error('refused', { cause })
        }
      }
      await expect(database.sql.run(program)).rejects.toThrow('refused')
      expect(caught).toEqual([expect.any(Error)])
    })

    it('programs that disturb one another each have their whole effect', async () => {
      const { sql, other } = database
      await sql.run(insert('counter', 0))
      const runs = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? sql : other).run(increment('counter')))
      expect((await Promise.all(runs)).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
      expect(await sql.run(numberOf('counter'))).toBe(40)
    })

    it('a check and the write that follows from it are one, whatever row it reads', async () => {
      const { sql, other } = database
      const onlyOne = (thing: string): SqlProgram<boolean> =>
        function* () {
          const [row] = yield* rowsOf('SELECT count(*) AS count FROM things')()
          if (row?.count !== 0) return false
          yield* insert(thing, 0)()
          return true
        }
      const wins = await Promise.all([sql, other, sql, other].map((each, n) => each.run(onlyOne(`${n}`))))
      expect(wins.filter((isFirst) => isFirst)).toEqual([true])
      expect(await all()).toHaveLength(1)
    })

    it('what need not be durable at once is read and undone like all else', async () => {
      const { sql, other } = database
      await sql.run(insert('a', 1), { durability: 'soon' })
      const failing: SqlProgram<void> = function* () {
        yield* insert('b', 1)()
        throw new Error('not today')
      }
      await expect(sql.run(failing, { durability: 'soon' })).rejects.toThrow('not today')
      expect(await other.run(increment('a'), { durability: 'soon' })).toBe(2)
      expect(await all()).toEqual([{ name: 'a', number: 2 }])
    })
  })
