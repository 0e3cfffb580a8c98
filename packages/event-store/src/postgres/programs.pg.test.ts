import { changesOf, rowsOf, type SqlProgram } from '../sql-program.ts'
import { isStoreFailure } from '../sqlite/index.ts'
import { describeSql } from '../testing/programs-suite.ts'
import { type PostgresPrograms, postgresPrograms } from './programs.ts'
import { type Cluster, startCluster } from './testing/cluster.ts'
import { startCuttingProxy } from './testing/cutting-proxy.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

const open = (schema = cluster.newSchema()): Promise<PostgresPrograms> =>
  postgresPrograms({ connectionString: cluster.connectionString, schema })

describeSql('PostgreSQL', async () => {
  const schema = cluster.newSchema()
  const [sql, other] = await Promise.all([open(schema), open(schema)])
  return {
    sql,
    other,
    close: async () => {
      await sql.close()
      await other.close()
    },
  }
})

const setting = (name: string): SqlProgram<unknown> =>
  function* () {
    return (yield* rowsOf(`SELECT current_setting('${name}') AS value`)())[0]?.value
  }

it('every program is serializable, a lone statement too, and waits for the disk unless it says otherwise', async () => {
  const sql = await open()
  const lone = rowsOf("SELECT current_setting('transaction_isolation') AS value")
  expect(await sql.run(lone)).toEqual([{ value: 'serializable' }])
  expect(await sql.run(setting('transaction_isolation'))).toBe('serializable')
  expect(await sql.run(setting('synchronous_commit'))).toBe('on')
  expect(await sql.run(setting('synchronous_commit'), { durability: 'soon' })).toBe('off')
  expect(await sql.run(setting('synchronous_commit'))).toBe('on')
  await sql.close()
})

it('a program may say that less isolation is enough, a lone statement too', async () => {
  const sql = await open()
  const isolation = { level: 'read committed', because: 'it only looks' } as const
  const lone = rowsOf("SELECT current_setting('transaction_isolation') AS value")
  expect(await sql.run(lone, { isolation })).toEqual([{ value: 'read committed' }])
  expect(await sql.run(setting('transaction_isolation'), { isolation })).toBe('read committed')
  expect(await sql.run(setting('synchronous_commit'), { isolation, durability: 'soon' })).toBe('off')
  expect(await sql.run(lone)).toEqual([{ value: 'serializable' }])
  await sql.close()
})

it('a program that locks what it changes waits for others, and runs once', async () => {
  const [sql, before] = [await open(), cluster.disturbed()]
  await sql.run(changesOf('CREATE TABLE counters (number bigint)'))
  await sql.run(changesOf('INSERT INTO counters VALUES (0)'))
  let runs = 0
  const increment: SqlProgram<void> = function* () {
    runs += 1
    const [row] = yield* rowsOf(`SELECT number FROM counters ${sql.dialect.lockRows}`)()
    yield* changesOf('UPDATE counters SET number = ?', Number(row?.number) + 1)()
  }
  const isolation = { level: 'read committed', because: 'it locks the only row first' } as const
  await Promise.all(Array.from({ length: 50 }, () => sql.run(increment, { isolation })))
  expect(await sql.run(rowsOf('SELECT number FROM counters'))).toEqual([{ number: 50 }])
  expect([runs, cluster.disturbed() - before]).toEqual([50, 0])
  await sql.close()
})

/** Fails as if another transaction had disturbed this one. */
const disturbed = changesOf("DO $$ BEGIN RAISE 'disturbed' USING ERRCODE = 'serialization_failure'; END $$")

it('a program that is disturbed runs again, although it has caught the error', async () => {
  const sql = await open()
  let runs = 0
  const careless: SqlProgram<string> = function* () {
    runs += 1
    try {
      if (runs < 3) yield* disturbed()
    } catch {}
    yield* rowsOf('SELECT 1')()
    return 'done'
  }
  expect(await sql.run(careless)).toBe('done')
  expect(runs).toBe(3)
  await sql.close()
})

it('a program that is always disturbed is given up, as a failure of the store', async () => {
  const sql = await open()
  let runs = 0
  const hopeless: SqlProgram<void> = function* () {
    runs += 1
    yield* disturbed()
  }
  const failed = await sql.run(hopeless).catch((cause: unknown) => cause)
  expect(failed).toMatchObject({ name: 'PostgresError', code: '40001' })
  expect([runs, isStoreFailure(failed)]).toEqual([30, true])
  await sql.close()
})

it('a program does not run again where nobody knows whether its commit has arrived', async () => {
  const proxy = await startCuttingProxy(cluster.port)
  const connectionString = `postgres://quittance@127.0.0.1:${proxy.port}/postgres`
  const sql = await postgresPrograms({ connectionString, schema: cluster.newSchema() })
  await sql.run(changesOf('CREATE TABLE things (moment text)'))
  for (const moment of ['before the server', 'before the answer'] as const) {
    proxy.cutAt('COMMIT', moment)
    const add: SqlProgram<void> = function* () {
      yield* changesOf('INSERT INTO things VALUES (?)', moment)()
    }
    const lost = await sql.run(add).catch((cause: unknown) => cause)
    expect(lost).toMatchObject({ name: 'PostgresError', code: null })
  }
  // The server may see the end of the connection a moment later.
  let found = await sql.run(rowsOf('SELECT moment FROM things'))
  while (found.length === 0) found = await sql.run(rowsOf('SELECT moment FROM things'))
  expect(found).toEqual([{ moment: 'before the answer' }])
  await sql.close()
  proxy.close()
})

it('a program that goes on after a failed statement writes nothing', async () => {
  const sql = await open()
  await sql.run(changesOf('CREATE TABLE things (name text)'))
  const ignoring: SqlProgram<void> = function* () {
    yield* changesOf("INSERT INTO things VALUES ('a')")()
    try {
      yield* rowsOf('SELECT 1 / 0')()
    } catch {}
  }
  await expect(sql.run(ignoring)).rejects.toThrow('after a failed statement')
  expect(await sql.run(rowsOf('SELECT * FROM things'))).toEqual([])
  await sql.close()
})

it('a lost connection is a failure of the store, and the next program opens another', async () => {
  const proxy = await startCuttingProxy(cluster.port)
  const connectionString = `postgres://quittance@127.0.0.1:${proxy.port}/postgres`
  const sql = await postgresPrograms({ connectionString, schema: cluster.newSchema() })
  for (const moment of ['before the server', 'before the answer'] as const) {
    proxy.cutAt('SELECT 77', moment)
    const lost = await sql.run(rowsOf('SELECT 77 AS number')).catch((cause: unknown) => cause)
    expect(isStoreFailure(lost)).toBe(true)
    expect(await sql.run(rowsOf('SELECT 78 AS number'))).toEqual([{ number: 78 }])
  }
  await sql.close()
  proxy.close()
})

it('a refusal of a statement is no failure of the store', async () => {
  const sql = await open()
  const refused = await sql.run(rowsOf('SELECT 1 / 0')).catch((cause: unknown) => cause)
  expect(refused).toMatchObject({ name: 'PostgresError', code: '22012' })
  expect(isStoreFailure(refused)).toBe(false)
  await sql.close()
})
