import { rowsOf } from '@quittance/event-store'
import { type PostgresPrograms, postgresPrograms } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { localSigner } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { done, present } from '../../testing/outcomes.ts'
import { type ErasedSubjects, erasedInMemory } from './erased-subjects.ts'
import { peekVault } from './peek-vault.ts'
import { postgresVault } from './postgres-vault.ts'
import { rewrapPostgresVault } from './rewrap-vault.ts'
import { OtherKeyKept, VaultMissing, WrongMasterKey } from './vault.ts'

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

let schema: string
let one: PostgresPrograms
let two: PostgresPrograms
beforeEach(async () => {
  schema = cluster.newSchema()
  ;[one, two] = await Promise.all([connected(), connected()])
})
afterEach(async () => {
  await one.close()
  await two.close()
})
const connected = (connections = 4) =>
  postgresPrograms({ connectionString: cluster.connectionString, schema, connections })
const opened = (sql = one, erased: ErasedSubjects = erasedInMemory(), byte = 1, mayBegin = true) =>
  postgresVault(sql, keyOf(byte), mayBegin, erased)

describe('a vault in PostgreSQL', () => {
  it('is the same for two processes that start at once', async () => {
    const [here, there] = await Promise.all([opened(one), opened(two)])
    const sealed = present(O.toNullable(await here.seal('ada', { n: 1 })))
    expect(await there.unseal('ada', sealed)).toEqual(O.some({ n: 1 }))
    expect(await there.keyedHash('email', 'a')).toBe(await here.keyedHash('email', 'a'))
    const made = await Promise.all([
      done(here.createKey('settlement/mainnet/a')),
      done(there.createKey('settlement/mainnet/a')),
    ])
    expect(made[0]).toBe(made[1])
    expect(await there.carriage.withSeed('settlement/mainnet/a', (seed) => localSigner(seed).publicKey)).toBe(made[0])
    expect([await here.keysNamed('settlement/'), await here.keysNamed('channel/')]).toEqual([
      ['settlement/mainnet/a'],
      [],
    ])
    expect((await peekVault(two)).hasLiveMerchants).toBe(true)
  })

  it('makes the keys of concurrent requests, and one for each subject', async () => {
    const [here, there] = [await opened(one), await opened(two)]
    const subjects = Array.from({ length: 40 }, (_, n) => `${n % 20}`)
    await Promise.all(subjects.map((subject, n) => (n % 2 === 0 ? here : there).prepare(subject)()))
    const rows = await one.run(rowsOf("SELECT name FROM vault WHERE name LIKE 'subject/%'"))
    expect(rows).toHaveLength(20)
  })

  it('gives an erased subject no key again, in any process', async () => {
    const [here, there] = [await opened(one), await opened(two)]
    const sealed = present(O.toNullable(await here.seal('ada', { n: 1 })))
    for (let times = 0; times < 2; times += 1) await there.erase('ada')
    expect([await here.unseal('ada', sealed), await here.seal('ada', {})]).toEqual([O.none, O.none])
    expect([await here.carriage.subject('ada'), await here.knows('ada')]).toEqual(['erased', true])
    expect(there.erased()).toEqual(['ada'])
  })

  it('destroys the keys that are listed as erased when it opens, and lists what is not', async () => {
    const before = await opened()
    await before.seal('ada', {})
    await before.seal('grace', {})
    await before.erase('grace')
    const list = erasedInMemory()
    list.add(['ada'])
    const after = await opened(two, list)
    expect([await after.carriage.subject('ada'), list.all()]).toEqual(['erased', ['ada', 'grace']])
  })

  it('rejects another master key, and an empty vault beside a log', async () => {
    await expect(opened(one, erasedInMemory(), 1, false)).rejects.toThrow(VaultMissing)
    await opened()
    await expect(opened(two, erasedInMemory(), 2)).rejects.toThrow(WrongMasterKey)
    await opened(two, erasedInMemory(), 1, false)
  })

  it('places keys of another vault, all of them or none', async () => {
    const vault = await opened()
    const hash = await vault.keyedHash('email', 'b')
    const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const keys = {
      subjects: [{ subject: 'ada', key }],
      seeds: [{ name: 'settlement/testnet/a', seed: key }],
      hashes: [{ purpose: 'email', text: 'a', hash }],
    }
    for (let times = 0; times < 2; times += 1) await vault.carriage.place(keys)
    const differing = [
      { subject: 'grace', key },
      { subject: 'ada', key: other },
    ]
    await expect(vault.carriage.place({ subjects: differing, seeds: [], hashes: [] })).rejects.toThrow(OtherKeyKept)
    expect([await vault.carriage.subject('ada'), await vault.carriage.subject('grace')]).toEqual([key, null])
    expect(await vault.carriage.hasPlaced('settlement/testnet/a')).toBe(true)
    expect(await vault.keyedHash('email', 'a')).toBe(hash)
    expect(await (await opened(two)).keyedHash('email', 'a')).toBe(hash)
  })

  it('gets another master key while nobody else is connected', async () => {
    const sealed = present(O.toNullable(await (await opened()).seal('ada', { n: 1 })))
    const alone = await connected(1)
    expect(await rewrapPostgresVault(alone, keyOf(1), keyOf(2))).toEqual(E.left({ _tag: 'VaultInUse' }))
    await Promise.all([one.close(), two.close()])
    const running = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'quittance'"
    while ((await cluster.sql(running)).length > 1);
    expect(await rewrapPostgresVault(alone, keyOf(3), keyOf(4))).toEqual(E.left({ _tag: 'WrongMasterKey' }))
    expect(await rewrapPostgresVault(alone, keyOf(1), keyOf(2))).toEqual(E.right(2))
    expect(await rewrapPostgresVault(alone, keyOf(1), keyOf(2))).toEqual(E.right(0))
    await alone.close()
    ;[one, two] = await Promise.all([connected(), connected()])
    await expect(opened(one)).rejects.toThrow(WrongMasterKey)
    expect(await (await opened(two, erasedInMemory(), 2)).unseal('ada', sealed)).toEqual(O.some({ n: 1 }))
  })
})
