import { unixMs } from '@quittance/domain'
import type { SqlDatabase } from '@quittance/event-store'
import { openDatabase, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import { present, right } from '../../testing/outcomes.ts'
import { openTables } from '../tables.ts'
import { claims } from './claims.ts'

const request = { merchantId: 'mer_1', environment: 'testnet', key: 'a', requestHash: 'this request' } as const

describe('a table of claims from before keys were bound', () => {
  let database: SqlDatabase
  beforeEach(() => {
    database = openDatabase(':memory:', { durability: 'full' })
    database.execute(`
      CREATE TABLE idempotency_claims (
        merchant_id TEXT NOT NULL, environment TEXT NOT NULL, key TEXT NOT NULL,
        command_id TEXT NOT NULL, request_hash TEXT NOT NULL, at INTEGER NOT NULL, leased_until INTEGER NOT NULL,
        PRIMARY KEY (merchant_id, environment, key)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO idempotency_claims VALUES ('mer_1', 'testnet', 'a', 'command 1', 'this request', 5, 0);
    `)
  })
  afterEach(() => database.close())
  const opened = () => {
    const sql = sqlitePrograms(database)
    runNow(database, openTables(sql.dialect))
    return claims(sql, { now: () => unixMs(10) })
  }

  it('keeps its keys, and a retry binds them', async () => {
    const claim = right(await opened().open(request))
    expect(claim).toMatchObject({ commandId: 'command 1', at: 5, isFirst: false, answeredFrom: null })
    right(await claim.bind())
    await right(await opened().open(request)).drop()
    expect(present(database.prepare('SELECT * FROM idempotency_claims').get())).toMatchObject({ is_bound: 1 })
  })
})
