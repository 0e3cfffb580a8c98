import type { Text } from '../shared/text.ts'
import type { Count, UnixMs } from '../shared/units.ts'
import type { MigrationDecision } from './events.ts'

type Of = { readonly merchantId?: Text }

/** An earlier migration of the same subscribers ends with it, if it went to another contract. */
export type BeginMigration = { readonly type: 'BeginMigration' } & MigrationDecision
export type CancelMigration = Of & {
  readonly type: 'CancelMigration'
  readonly by: Text
  readonly reason: Text
  readonly at: UnixMs
}
export type CompleteMigration = Of & {
  readonly type: 'CompleteMigration'
  readonly signed: Count
  readonly ended: Count
  readonly at: UnixMs
}

/** What may be asked of a migration. */
export type MigrationCommand = BeginMigration | CancelMigration | CompleteMigration
