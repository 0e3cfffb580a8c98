import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import type { MigrationCommand } from './commands.ts'
import type { MigrationEvent } from './events.ts'
import { type MigrationState, openMigrationOf } from './state.ts'

export const decide =
  (command: MigrationCommand) =>
  (state: MigrationState): E.Either<never, ReadonlyArray<MigrationEvent>> => {
    const open = openMigrationOf(state, command.merchantId)
    switch (command.type) {
      case 'BeginMigration': {
        const { type: _, contract, ...rest } = command
        const begun: MigrationEvent = { type: 'MigrationBegun', data: { contract, ...rest } }
        if (open === null) return E.right([begun])
        return open.contract === contract ? nothing : E.right([{ type: 'MigrationCanceled', data: rest }, begun])
      }
      case 'CancelMigration': {
        const { type: _, ...data } = command
        return open === null ? nothing : E.right([{ type: 'MigrationCanceled', data }])
      }
      case 'CompleteMigration': {
        const { type: _, ...data } = command
        return open === null ? nothing : E.right([{ type: 'MigrationCompleted', data }])
      }
    }
  }
