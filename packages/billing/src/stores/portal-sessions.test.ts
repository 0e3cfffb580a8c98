import { KeyedHash, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { openDatabase, runNow, sqlitePrograms } from '@quittance/event-store/sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { portalSessions } from './portal-sessions.ts'
import { openTables } from './tables.ts'

const token = decoded(KeyedHash, 'a'.repeat(64))
const session = decoded(KeyedHash, 'b'.repeat(64))
const later = decoded(KeyedHash, 'c'.repeat(64))
const now = { testnet: unixMs(1000), mainnet: unixMs(1000) }
const visitor = { merchantId: 'mer_1', environment: 'testnet' as const, customerId: 'cus_1' }

describe('portal sessions of an earlier release', () => {
  it('go on without a link back, beside new ones with one', async () => {
    const database = openDatabase(':memory:', { durability: 'full' })
    database.execute(`CREATE TABLE portal_sessions (
      token_hash TEXT PRIMARY KEY, merchant_id TEXT NOT NULL, environment TEXT NOT NULL, customer_id TEXT NOT NULL,
      ends_at INTEGER NOT NULL, session_hash TEXT UNIQUE
    ) STRICT;
    INSERT INTO portal_sessions VALUES ('${token}', 'mer_1', 'testnet', 'cus_1', 5000, NULL)`)
    const sql = sqlitePrograms(database)
    for (let times = 0; times < 2; times += 1) runNow(database, openTables(sql.dialect))
    const sessions = portalSessions(sql)
    expect(await sessions.enter(token, session, 3000, now)).toBe(true)
    expect(await sessions.find(session, now)).toEqual({ ...visitor, returnUrl: null })
    const visit = { ...visitor, returnUrl: 'https://shop.example/account' }
    expect(await sessions.invite(later, visit, unixMs(5000), undefined)).toEqual(E.right(undefined))
    expect(await sessions.enter(later, later, 3000, now)).toBe(true)
    expect(await sessions.find(later, now)).toEqual(visit)
    database.close()
  })
})
