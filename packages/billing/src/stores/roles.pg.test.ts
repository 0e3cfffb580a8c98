import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rowsOf } from '@quittance/event-store'
import { postgresEventStore, postgresPrograms } from '@quittance/event-store/postgres'
import { type Cluster, startCluster } from '@quittance/event-store/postgres/testing/cluster'
import { type AppendingProcess, startProcess } from '@quittance/event-store/postgres/testing/process'
import { whileHolding } from '../kernel/fence.ts'
import { present } from '../testing/outcomes.ts'
import { roles } from './roles.ts'
import {
  eventIdsIn,
  notesIn,
  type OpenDatabase,
  pass,
  prepareDatabase,
  roleProcess,
  writeNote,
} from './testing/role-processes.ts'
import { describeRoles } from './testing/role-suite.ts'

const name = 'worker/testnet'
const holder = fileURLToPath(new URL('./testing/role-holder.ts', import.meta.url))

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster.remove())

const openIn = async (schema: string): Promise<OpenDatabase> => {
  const within = { connectionString: cluster.connectionString, schema }
  const store = await postgresEventStore({ ...within, clock: Date.now, projections: [] })
  const sql = await postgresPrograms(within)
  const close = async () => {
    await store.close()
    await sql.close()
  }
  return { sql, store, close }
}

describeRoles(
  'PostgreSQL',
  (processes) => {
    const schema = cluster.newSchema()
    return Promise.all(Array.from({ length: processes }, () => openIn(schema)))
  },
  25,
)

describe('several processes with one role on PostgreSQL', () => {
  let schema: string
  let database: OpenDatabase
  beforeEach(async () => {
    schema = cluster.newSchema()
    database = await openIn(schema)
    await prepareDatabase(database)
  })
  afterEach(() => database.close())

  it('take it at the same moment without disturbing one another', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => openIn(schema)))
    const before = cluster.disturbed()
    for (let round = 0; round < 20; round += 1) {
      const taken = await Promise.all(others.map(({ sql }, n) => roles(sql, `process ${n}`).take(`role ${round}`)))
      expect(taken.filter((role) => role !== null)).toHaveLength(1)
    }
    expect(cluster.disturbed()).toBe(before)
    for (const each of others) await each.close()
  })

  const waiting = async (query: string): Promise<void> => {
    const found = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${query}%'
      AND pid <> pg_backend_pid()`
    while ((await cluster.sql(found)).length === 0);
  }

  it('a role changes hands after the transactions behind its fence, which a renewal does not wait for', async () => {
    const [one, other] = [roleProcess(database), roleProcess(await openIn(schema))]
    const [own, theirs] = [roles(one.plain, 'one'), roles(other.plain, 'other')]
    const role = present(await own.take(name))
    await cluster.sql('SELECT pg_advisory_lock(77)')
    const writing = whileHolding(own.fence(role), () =>
      one.sql.run(function* () {
        yield* rowsOf('SELECT 1 FROM (SELECT pg_advisory_xact_lock(77)) AS taken')()
        yield* writeNote('a', name)()
      }),
    )
    await waiting('pg_advisory_xact_lock(77)')
    expect(await own.renew(role)).toBe(true)
    await pass(one.sql, 6_000)
    const taking = theirs.take(name)
    await waiting('UPDATE worker_roles SET epoch')
    const held = "locktype = 'advisory' AND objid = 77 AND granted"
    // It may be the session itself that ends here.
    await cluster.sql(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${held}`).catch(() => [])
    await writing
    expect(await taking).toEqual({ name, epoch: 2 })
    expect(await notesIn(one.sql)).toEqual([{ note: 'a', epoch: 1 }])
    await other.close()
  })

  /** It prints that it stops a moment before it does, so one signal might come too early. */
  const wake = async (stopped: AppendingProcess): Promise<void> => {
    const again = setInterval(() => stopped.signal('SIGCONT'), 20)
    await stopped.printed('woken')
    clearInterval(again)
  }
  const takenBySomebodyElse = async (leaseMs: number): Promise<number> => {
    const began = performance.now()
    const own = roles(database.sql, 'somebody else', leaseMs)
    // As often as a worker looks.
    while ((await own.take(name)) === null) await pause(250)
    return performance.now() - began
  }
  const lost = `RoleLost: This process has lost the role ${name}`

  it('a process that was stopped in its work writes nothing once another has the role, whatever its clock', async () => {
    const leaseMs = 6_000
    const stopped = startProcess(holder, [cluster.connectionString, schema, name, 'between transactions'], {
      LEASE_MS: `${leaseMs}`,
      SKEW_MS: '3600000',
    })
    await stopped.printed('stops')
    expect(await takenBySomebodyElse(leaseMs)).toBeLessThan(leaseMs + 1_000)
    await wake(stopped)
    for (const line of ['append', 'append alongside', 'program', 'statement']) await stopped.printed(`${line}: ${lost}`)
    await stopped.printed('step: RoleLost')
    expect(await stopped.ended).toBe(0)
    expect([await eventIdsIn(database.store), await notesIn(database.sql)]).toEqual([['before'], []])
    expect(await database.sql.run(rowsOf('SELECT epoch, holder FROM worker_roles'))).toEqual([
      { epoch: 2, holder: 'somebody else' },
    ])
  })

  it('a process that was stopped within an append loses its transaction, and then its role', async () => {
    const leaseMs = 1_500
    const stopped = startProcess(holder, [cluster.connectionString, schema, name, 'within an append'], {
      LEASE_MS: `${leaseMs}`,
      SKEW_MS: '-3600000',
      IDLE_MS: '2500',
    })
    await stopped.printed('stops')
    await takenBySomebodyElse(leaseMs)
    await wake(stopped)
    // The server has ended the session, which this process may learn before or after it has sent its commit.
    await Promise.any([stopped.printed('held: StoreUnavailable'), stopped.printed(`held: ${lost}`)])
    for (const line of ['append', 'append alongside', 'program', 'statement']) await stopped.printed(`${line}: ${lost}`)
    await stopped.printed('step: RoleLost')
    expect(await stopped.ended).toBe(0)
    expect([await eventIdsIn(database.store), await notesIn(database.sql)]).toEqual([['before'], []])
  })

  it('a process that was stopped and woken in time goes on', async () => {
    const stopped = startProcess(holder, [cluster.connectionString, schema, name, 'between transactions'], {
      LEASE_MS: '600000',
      SKEW_MS: '0',
    })
    await stopped.printed('stops')
    expect(await roles(database.sql, 'somebody else').take(name)).toBeNull()
    await wake(stopped)
    await stopped.printed('step: done')
    expect(await stopped.ended).toBe(0)
    expect(await eventIdsIn(database.store)).toEqual(['before', 'after', 'alongside'])
    expect((await notesIn(database.sql)).map(({ note }) => note)).toEqual(['alongside', 'program', 'statement', 'last'])
  })
})
