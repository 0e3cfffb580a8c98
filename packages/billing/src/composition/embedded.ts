import { randomUUID } from 'node:crypto'
import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import { settlements } from '../assets.ts'
import { sqliteBackfills } from '../backfills.ts'
import { alwaysCaughtUp } from '../caught-up.ts'
import { sqliteRelays } from '../checkouts/relays.ts'
import { sqliteClaims } from '../claims/sqlite-claims.ts'
import { sqliteToDo } from '../delivery/to-do/to-do.ts'
import { sqliteViolations } from '../invariants/violations.ts'
import { seenCollecting } from '../mandates/seen-collecting.ts'
import { sqliteKeyUse } from '../merchants/key-use.ts'
import { openNews } from '../news.ts'
import { requestSigner } from '../origin/sign-request.ts'
import { sqliteParked } from '../parking/parked.ts'
import { sqlitePortalSessions } from '../portal/sessions.ts'
import type { Clock } from '../ports.ts'
import { sqliteAwaitingRate } from '../processes/awaiting-rate.ts'
import { sqliteCursors } from '../processes/cursor.ts'
import type { Services } from '../services.ts'
import { sqliteSetbacks } from '../setbacks/setbacks.ts'
import { seenAccounts } from '../settlement-account/seen-accounts.ts'
import type { Vault } from '../vault/port.ts'
import { sqliteChallenges } from '../wallets/challenges.ts'
import { remembering } from './remembering.ts'
import { telling } from './telling.ts'

/** Log, read models, claims and cursors share one file: what belongs together is committed together. */
export const embedded = (
  store: SqliteEventStore,
  vault: Vault,
  clock: Clock,
  networks: Services['networks'],
  publicUrl: Services['publicUrl'],
  omnibusAccounts: Services['omnibusAccounts'] = new Set(),
): Services => {
  const news = openNews()
  const remembered = remembering(store)
  return {
    ...remembered,
    store: telling(remembered.store, news),
    news,
    toDo: sqliteToDo(store.writer),
    caughtUp: alwaysCaughtUp,
    settlementOf: settlements(store),
    seenAccounts: seenAccounts(clock),
    seenCollecting: seenCollecting(clock),
    claims: sqliteClaims(store.writer, clock),
    cursors: sqliteCursors(store.writer),
    awaitingRate: sqliteAwaitingRate(store.writer),
    relays: sqliteRelays(store.writer),
    violations: sqliteViolations(store.writer),
    backfills: sqliteBackfills(store.writer),
    setbacks: sqliteSetbacks(store.writer),
    parked: sqliteParked(store.writer),
    keyUse: sqliteKeyUse(store.writer),
    challenges: sqliteChallenges(store.writer, Date.now),
    portalSessions: sqlitePortalSessions(store.writer),
    vault,
    clock,
    freshId: randomUUID,
    networks,
    signRequest: requestSigner(vault, clock, publicUrl),
    publicUrl,
    omnibusAccounts,
  }
}
