import type { Aggregate } from '../shared/aggregate.ts'
import { eventFormat } from '../shared/event-format.ts'
import type { MigrationCommand } from './commands.ts'
import { decide } from './decide.ts'
import { MigrationEvent } from './events.ts'
import { evolve, initial, type MigrationState } from './state.ts'

/** One stream for an environment: which subscribers the operator moves to which contract. */
export const Migrations: Aggregate<MigrationCommand, MigrationEvent, MigrationState, never> = {
  category: 'migration',
  decider: { initial, evolve, decide },
  events: eventFormat(MigrationEvent),
}

export type { MigrationCommand } from './commands.ts'
export type { MigrationEvent } from './events.ts'
export { type Migration, type MigrationState, migrationFor, openMigrationOf } from './state.ts'
