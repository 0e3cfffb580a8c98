import type { Sql } from '@quittance/event-store'
import { changesOf } from '@quittance/event-store'
import { type PostgresPrograms, postgresPrograms } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { openDatabase, sqlitePrograms } from '@quittance/event-store/sqlite'
import { erasedInMemory } from '../vault/erased-subjects.ts'
import { postgresVault } from '../vault/postgres-vault.ts'
import { sqliteVault } from '../vault/sqlite-vault.ts'
import { type KeptPart, type KeptTable, readKept, replaceKept } from './kept-rows.ts'
import { opensUnder } from './opens-under.ts'

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

describe('what is kept beside a log', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.remove())

  let database: ReturnType<typeof openDatabase>
  let file: Sql
  let shared: PostgresPrograms
  beforeEach(async () => {
    database = openDatabase(':memory:', { durability: 'full' })
    file = sqlitePrograms(database)
    shared = await postgresPrograms({ connectionString: cluster.connectionString, schema: cluster.newSchema() })
  })
  afterEach(async () => {
    database.close()
    await shared.close()
  })

  const read = ({ run, dialect }: Sql, part: KeptPart) => run(readKept(dialect, part))
  const replace = ({ run, dialect }: Sql, part: KeptPart, kept: ReadonlyArray<KeptTable>) =>
    run(replaceKept(dialect, part, kept))

  it('every table of the stores comes to the other database and back, row by row', async () => {
    await replace(file, 'unlogged', [])
    const empty = await read(file, 'unlogged')
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    expect(empty.map(({ name }) => name).sort()).toEqual(
      tables
        .all()
        .map(({ name }) => name)
        .sort(),
    )
    // Each column of each table gets a value of its type, and one row all the nulls that it may have.
    for (const { name } of empty) {
      const columns = database.prepare('SELECT name, type, "notnull" AS needed, pk FROM pragma_table_info(?)').all(name)
      for (let row = 1; row <= 120; row += 1) {
        const values = columns.map(({ type, needed, pk, name: column }) => {
          if (row === 3 && needed === 0 && pk === 0) return null
          if (column === 'one') return 1
          return type === 'INTEGER' ? row * 7 : `${String(column)} ${row} ü’\n"`
        })
        const marks = values.map(() => '?').join(', ')
        await file.run(changesOf(`INSERT INTO "${name}" VALUES (${marks}) ON CONFLICT DO NOTHING`, ...values))
      }
    }
    const kept = await read(file, 'unlogged')
    expect(kept.every(({ rows }) => rows.length > 0)).toBe(true)
    for (let times = 0; times < 2; times += 1) await replace(shared, 'unlogged', kept)
    expect(await read(shared, 'unlogged')).toEqual(kept)
    await file.run(changesOf('DELETE FROM outgoing_mails'))
    await replace(file, 'unlogged', await read(shared, 'unlogged'))
    expect(await read(file, 'unlogged')).toEqual(kept)
  })

  it('rows are numbered behind all that were there before, and behind those that are gone', async () => {
    await replace(file, 'unlogged', [])
    const mail = `INSERT INTO outgoing_mails (environment, kind, about, due_at, ends_at, tries)
      VALUES ('testnet', 'kind', 'about', 1, 2, 3)`
    for (let times = 0; times < 3; times += 1) await file.run(changesOf(mail))
    await file.run(changesOf('DELETE FROM outgoing_mails WHERE id > 1'))
    const numbers = async (kept: Sql) =>
      (await read(kept, 'unlogged')).find(({ name }) => name === 'outgoing_mails')?.rows.map(({ id }) => id)
    await replace(shared, 'unlogged', await read(file, 'unlogged'))
    await shared.run(changesOf(mail))
    expect(await numbers(shared)).toEqual([1, 4])
    await shared.run(changesOf('DELETE FROM outgoing_mails WHERE id > 1'))
    await replace(file, 'unlogged', await read(shared, 'unlogged'))
    await file.run(changesOf(mail))
    expect(await numbers(file)).toEqual([1, 5])
  })

  it('a file of an earlier release fills what it lacks with the usual values', async () => {
    database.execute(`CREATE TABLE idempotency_claims (merchant_id TEXT NOT NULL, environment TEXT NOT NULL,
      key TEXT NOT NULL, command_id TEXT NOT NULL, request_hash TEXT NOT NULL, at INTEGER NOT NULL,
      leased_until INTEGER NOT NULL, PRIMARY KEY (merchant_id, environment, key)) STRICT, WITHOUT ROWID;
      INSERT INTO idempotency_claims VALUES ('mer_1', 'testnet', 'k', 'cmd_1', 'h', 1, 2)`)
    await replace(shared, 'unlogged', await read(file, 'unlogged'))
    expect((await read(shared, 'unlogged')).find(({ name }) => name === 'idempotency_claims')?.rows).toEqual([
      expect.objectContaining({ key: 'k', is_bound: 0, has_written: 1, answered_stream: null }),
    ])
  })

  it('nothing is replaced where a table has columns of a later release', async () => {
    await replace(file, 'unlogged', [])
    await replace(shared, 'unlogged', [])
    await shared.run(changesOf("INSERT INTO backfills VALUES ('done')"))
    database.execute("ALTER TABLE key_use ADD COLUMN more TEXT; INSERT INTO key_use VALUES ('key_1', 1, 'more')")
    const kept = await read(file, 'unlogged')
    await expect(replace(shared, 'unlogged', kept)).rejects.toThrow('key_use has columns of another release: more')
    expect((await read(shared, 'unlogged')).find(({ name }) => name === 'backfills')?.rows).toEqual([{ name: 'done' }])
  })

  it('a vault opens in the other database under the same master key, with its signing records and its mark', async () => {
    const before = sqliteVault(database, keyOf(1), true)
    const sealed = await before.seal('ada', { n: 1 })
    await before.seal('grace', {})
    await before.erase('grace')
    await before.createKey('settlement/testnet/a')()
    await file.run(changesOf("UPDATE log_mark SET mark = 'mark'"))
    await file.run(
      changesOf(
        `INSERT INTO signing_records (at, key, account, purpose, digest, actor, log_mark)
         VALUES (1, 'k', 'G', 'uri', NULL, 'worker', NULL)`,
      ),
    )
    const kept = await read(file, 'vault')
    expect([opensUnder(keyOf(1), kept), opensUnder(keyOf(2), kept), opensUnder(keyOf(2), [])]).toEqual([
      true,
      false,
      true,
    ])
    await replace(shared, 'vault', kept)
    expect(await read(shared, 'vault')).toEqual(kept)
    const after = await postgresVault(shared, keyOf(1), false, erasedInMemory())
    for (const [one, other] of [
      [await after.keyedHash('email', 'a'), await before.keyedHash('email', 'a')],
      [await after.publicKey('settlement/testnet/a'), await before.publicKey('settlement/testnet/a')],
    ])
      expect(one).toEqual(other)
    expect(sealed).toMatchObject({ _tag: 'Some' })
    if (sealed._tag === 'Some') expect(await after.unseal('ada', sealed.value)).toMatchObject({ value: { n: 1 } })
    expect(await after.carriage.subject('grace')).toBe('erased')
  })
})
