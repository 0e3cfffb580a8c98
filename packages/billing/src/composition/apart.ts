import { randomUUID } from 'node:crypto'
import type { EventStore, SqlDatabase } from '@quittance/event-store'
import { type Projector, readModels } from '@quittance/projections'
import { settlements } from '../assets.ts'
import { sqliteBackfills } from '../backfills.ts'
import { sqliteRelays } from '../checkouts/relays.ts'
import { claimingFirst } from '../claims/claiming-first.ts'
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
import { ownWrites } from './own-writes.ts'
import { telling } from './telling.ts'

const longestWaitMs = 500

/**
 * The log is elsewhere; read models, claims and cursors lie in a file of their own. `rows` is the projector's connection
 * to it. `durable` is another one, every commit of which is on the disk: claims and cursors are in no log.
 */
export const apart = (
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
  const news = openNews()
  return {
    store: telling(store, news),
    news,
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
