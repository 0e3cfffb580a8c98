import type { Text } from '../shared/text.ts'
import type { UnixMs } from '../shared/units.ts'
import type { MigrationDecision, MigrationEvent } from './events.ts'

/** How a migration ended; of a completed one, how many customers have signed, and how many subscriptions ended instead. */
export type MigrationEnd =
  | { readonly _tag: 'canceled'; readonly by: Text; readonly reason: Text; readonly at: UnixMs }
  | { readonly _tag: 'completed'; readonly signed: number; readonly ended: number; readonly at: UnixMs }

/** A migration, and how it ended; null while it goes on. */
export type Migration = MigrationDecision & { readonly end: MigrationEnd | null }

/** The migrations of an environment, oldest first. */
export type MigrationState = ReadonlyArray<Migration>

export const initial: MigrationState = []

/** The open migration of all subscribers (`undefined`), or of those of one merchant. */
export const openMigrationOf = (state: MigrationState, merchantId: string | undefined): Migration | null =>
  state.find((each) => each.end === null && each.merchantId === merchantId) ?? null

/** The open migration that concerns a merchant's subscribers. */
export const migrationFor = (state: MigrationState, merchantId: string): Migration | null =>
  openMigrationOf(state, merchantId) ?? openMigrationOf(state, undefined)

const ended = (state: MigrationState, merchantId: string | undefined, end: MigrationEnd): MigrationState =>
  state.map((each) => (each.end === null && each.merchantId === merchantId ? { ...each, end } : each))

export const evolve = (state: MigrationState, { type, data }: MigrationEvent): MigrationState => {
  switch (type) {
    case 'MigrationBegun':
      return [...state, { ...data, end: null }]
    case 'MigrationCanceled': {
      const { merchantId, ...end } = data
      return ended(state, merchantId, { _tag: 'canceled', ...end })
    }
    case 'MigrationCompleted': {
      const { merchantId, ...end } = data
      return ended(state, merchantId, { _tag: 'completed', ...end })
    }
  }
}
