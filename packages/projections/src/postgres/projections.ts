import type { PostgresProjection } from '@quittance/event-store/postgres'
import { ofEachModel } from '../read-models.ts'
import { publicEventWriter } from './write-public-events.ts'
import { type PostgresRowWriter, postgresProjection, postgresRowWriter } from './write-rows.ts'

/** How each read model is written. */
export const postgresRowWriters: ReadonlyArray<PostgresRowWriter> = [
  publicEventWriter,
  ...ofEachModel(postgresRowWriter),
]

/** All of them, for the store that writes them in the transaction of each append. */
export const postgresProjections: ReadonlyArray<PostgresProjection> = postgresRowWriters.map(postgresProjection)
