/**
 * The log in a file of SQLite.
 *
 * @module @quittance/event-store/sqlite
 */

export { AlteredLog } from '../altered-log.ts'
export type { Problem } from '../chain-check.ts'
export { NewerSchema } from '../newer-schema.ts'
export { isStoreFailure } from '../store-failure.ts'
export { type ArchivedLog, archiveLog } from './archive/archive-log.ts'
export { logSegments } from './archive/archived.ts'
export { compactLog } from './archive/compact-log.ts'
export { type Segment, segmentFolder } from './archive/segments.ts'
export { buildProjections } from './build-projections.ts'
export type { FileChanges } from './changes.ts'
export { openDatabase } from './database.ts'
export { isLocked } from './failures.ts'
export { type Graft, graftStreams } from './graft.ts'
export { keepToOwner } from './keep-to-owner.ts'
export { lockFile } from './lock.ts'
export { sqliteEventStoreModule } from './module.ts'
export { oncePerCallback } from './once-per-callback.ts'
export { runNow, sqlitePrograms } from './programs.ts'
export { eventCounter, logReader } from './read.ts'
export { replay } from './replay.ts'
export { readSchemaVersion } from './schema.ts'
export { eventStoreOver, type SqliteEventStore, sqliteEventStore } from './store.ts'
export { storedHashes } from './stored-hashes.ts'
export { SQLITE_EVENT_STORE, SQLITE_EVENT_STORE_OPTIONS } from './tokens.ts'
export { verify } from './verify.ts'
export { whenUnlocked } from './when-unlocked.ts'
export { probeWrite } from './write-probe.ts'
