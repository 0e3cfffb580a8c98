import { randomUUID } from 'node:crypto'
import type { SqliteEventStore } from '@quittance/event-store/sqlite'
import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { sqliteAwaitingRate } from '../../stores/awaiting-rate.ts'
import { sqliteBackfills } from '../../stores/backfills.ts'
import { alwaysCaughtUp } from '../../stores/caught-up.ts'
import { sqliteChallenges } from '../../stores/challenges.ts'
import { openChangeNotifications } from '../../stores/change-notifications.ts'
import { sqliteClaims } from '../../stores/claims/sqlite-claims.ts'
import { sqliteCursors } from '../../stores/cursor.ts'
import { sqliteToDo } from '../../stores/deliveries/to-do.ts'
import { sqliteKeyUse } from '../../stores/key-use.ts'
import { sqliteParked } from '../../stores/parked/parked.ts'
import { sqlitePortalSessions } from '../../stores/portal-sessions.ts'
import { sqliteRelays } from '../../stores/relays.ts'
import { seenAccounts } from '../../stores/seen-accounts.ts'
import { seenCollecting } from '../../stores/seen-collecting.ts'
import { sqliteSetbacks } from '../../stores/setbacks/setbacks.ts'
import { requestSigner } from '../../stores/sign-request.ts'
import type { Vault } from '../../stores/vault/port.ts'
import { sqliteViolations } from '../../stores/violations.ts'
import { notifying } from './notifying.ts'
import { remembering } from './remembering.ts'

/** Log, read models, claims and cursors share one file, so that one transaction commits them together. */
export const embedded = (
  store: SqliteEventStore,
  vault: Vault,
  clock: Clock,
  networks: Services['networks'],
  publicUrl: Services['publicUrl'],
  omnibusAccounts: Services['omnibusAccounts'] = new Set(),
): Services => {
  const changes = openChangeNotifications()
  const remembered = remembering(store)
  return {
    ...remembered,
    store: notifying(remembered.store, changes),
    changes,
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
