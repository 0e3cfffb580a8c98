import { changesOf, rowsOf, type SqlProgram } from '../sql-program.ts'
import { describeSql } from '../testing/programs-suite.ts'
import { openDatabase } from './database.ts'
import { runNow, sqlitePrograms } from './programs.ts'
import { temporaryFile } from './testing/process.ts'

const pragma = (name: string): SqlProgram<unknown> =>
  function* () {
    return (yield* rowsOf(`PRAGMA ${name}`)())[0]?.[name]
  }

describeSql('SQLite', async () => {
  const file = temporaryFile()
  const [one, two] = [1, 2].map(() => openDatabase(file.path, { durability: 'full' }))
  if (one === undefined || two === undefined) throw new Error('unreachable')
  return {
    sql: sqlitePrograms(one),
    other: sqlitePrograms(two),
    close: async () => {
      one.close()
      two.close()
      file.remove()
    },
  }
})

describe('programs that run at once', () => {
  const database = openDatabase(':memory:', { durability: 'full' })
  beforeAll(() => database.execute('CREATE TABLE things (name TEXT PRIMARY KEY) STRICT'))
  afterAll(() => database.close())

  it('are a part of the transaction around them, which fails alone', () => {
    const failing: SqlProgram<void> = function* () {
      yield* changesOf("INSERT INTO things VALUES ('b')")()
      throw new Error('not today')
    }
    database.transaction(() => {
      runNow(database, changesOf("INSERT INTO things VALUES ('a')"))
      expect(() => runNow(database, failing)).toThrow('not today')
    })
    expect(database.prepare('SELECT name FROM things').all()).toEqual([{ name: 'a' }])
  })

  it('are as durable as the transaction around them', () => {
    const durability = database.transaction(() => runNow(database, pragma('synchronous'), { durability: 'soon' }))
    expect(durability).toBe(2)
  })

  it('wait for the disk as before, once one has not', () => {
    expect(runNow(database, pragma('synchronous'))).toBe(2)
    expect(runNow(database, pragma('synchronous'), { durability: 'soon' })).toBe(1)
    expect(runNow(database, pragma('synchronous'))).toBe(2)
  })
})
