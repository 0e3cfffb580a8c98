import fc from 'fast-check'
import type { MigrationCommand, MigrationEvent } from '../migration/index.ts'
import { contractOf } from './account.ts'
import { type ByType, event } from './any-event.ts'
import * as some from './arbitraries.ts'

const anyContract = fc.nat({ max: 255 }).map(contractOf)

const decision = { by: some.anyText, reason: some.anyText, at: some.anyTime }
const figures = { signed: some.anyCount, ended: some.anyCount, at: some.anyTime }
const scope = { merchantId: some.anyText }
const anyBeginning = some.recordWith({ contract: anyContract, ...decision }, scope)
const anyCancellation = some.recordWith(decision, scope)
const anyCompletion = some.recordWith(figures, scope)

const migrationEvents: ByType<MigrationEvent> = {
  MigrationBegun: event('MigrationBegun', anyBeginning),
  MigrationCanceled: event('MigrationCanceled', anyCancellation),
  MigrationCompleted: event('MigrationCompleted', anyCompletion),
}
export const anyMigrationEvent: fc.Arbitrary<MigrationEvent> = fc.oneof(...Object.values(migrationEvents))

export const anyMigrationCommand: fc.Arbitrary<MigrationCommand> = fc.oneof(
  anyBeginning.map((data) => ({ type: 'BeginMigration' as const, ...data })),
  anyCancellation.map((data) => ({ type: 'CancelMigration' as const, ...data })),
  anyCompletion.map((data) => ({ type: 'CompleteMigration' as const, ...data })),
)
