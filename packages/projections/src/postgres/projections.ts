import type { PostgresProjection } from '@quittance/event-store/postgres'
import { ofEachModel } from '../read-models.ts'
import { publicEventProjection } from './write-public-events.ts'
import { postgresProjection } from './write-rows.ts'

/** All read models, for the store that writes them in the transaction of each append. */
export const postgresProjections: ReadonlyArray<PostgresProjection> = [
  publicEventProjection,
  ...ofEachModel(postgresProjection),
]
