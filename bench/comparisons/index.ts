import type { Comparison } from '../comparing/comparison.ts'
import { appendsOf1, appendsOf64 } from './appends.ts'
import { commandsPostgresOf1, commandsPostgresOf32 } from './commands-postgres.ts'
import { commandsSqlite } from './commands-sqlite.ts'
import { foldOfStreams } from './fold.ts'
import { access, access2, checkout, customer, payment } from './http.ts'
import { rebuild, rebuildPostgres } from './rebuild.ts'
import { firstAnswer, idleMemory } from './start.ts'
import { toDoList } from './to-do-list.ts'
import { signaturesBesideStandardWebhooks, signaturesBesideSvix } from './webhook-signatures.ts'
import { wholeSale } from './whole-sale.ts'

/** All comparisons, in the order of `docs/performance.md`. */
export const comparisons: ReadonlyArray<Comparison> = [
  appendsOf1,
  appendsOf64,
  commandsSqlite,
  commandsPostgresOf1,
  commandsPostgresOf32,
  foldOfStreams,
  access,
  access2,
  checkout,
  payment,
  customer,
  wholeSale,
  firstAnswer,
  idleMemory,
  signaturesBesideStandardWebhooks,
  signaturesBesideSvix,
  toDoList,
  rebuild,
  rebuildPostgres,
]
