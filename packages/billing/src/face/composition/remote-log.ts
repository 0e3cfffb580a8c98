import { randomUUID } from 'node:crypto'
import type { EventStore, SqlDatabase } from '@quittance/event-store'
import { type Projector, readModels } from '@quittance/projections'
import type { Clock } from '../../kernel/clock.ts'
import type { Services } from '../../services/services.ts'
import { settlements } from '../../services/settlements.ts'
import { sqliteAwaitingRate } from '../../stores/awaiting-rate.ts'
import { sqliteBackfills } from '../../stores/backfills.ts'
import { sqliteChallenges } from '../../stores/challenges.ts'
import { openChangeNotifications } from '../../stores/change-notifications.ts'
import { claimingFirst } from '../../stores/claims/claiming-first.ts'
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
import { ownWrites } from './own-writes.ts'

const longestWaitMs = 500

/**
 * The log is remote; read models, claims and cursors have their own file. `rows` is the projector's connection to it.
 * `durable` is a second one, whose every commit is on disk, since no log holds claims and cursors.
 */
export const remoteLog = (
  log: EventStore,
  projector: Projector,
  rows: SqlDatabase,
  durable: SqlDatabase,
  vault: Vault,
  clock: Clock,
  networks: Services['networks'],
  publicUrl: Services['publicUrl'],
  omnibusAccounts: Services['omnibusAccounts'],
): Services => {
  const { store, newestOf } = ownWrites(claimingFirst(log, durable))
  const changes = openChangeNotifications()
  return {
    store: notifying(store, changes),
    changes,
    toDo: sqliteToDo(durable),
    caughtUp: {
      withOwnWrites: async (merchantId) => {
        const position = newestOf(merchantId)
        if (position !== null) await projector.reached(position, longestWaitMs)
      },
      withLog: projector.catchUp,
    },
    settlementOf: settlements(store),
    seenAccounts: seenAccounts(clock),
    seenCollecting: seenCollecting(clock),
    readModels: readModels(rows),
    claims: sqliteClaims(durable, clock),
    cursors: sqliteCursors(durable),
    awaitingRate: sqliteAwaitingRate(durable),
    relays: sqliteRelays(durable),
    violations: sqliteViolations(durable),
    backfills: sqliteBackfills(durable),
    setbacks: sqliteSetbacks(durable),
    parked: sqliteParked(durable),
    keyUse: sqliteKeyUse(durable),
    challenges: sqliteChallenges(durable, Date.now),
    portalSessions: sqlitePortalSessions(durable),
    vault,
    clock,
    freshId: randomUUID,
    networks,
    signRequest: requestSigner(vault, clock, publicUrl),
    publicUrl,
    omnibusAccounts,
  }
}
