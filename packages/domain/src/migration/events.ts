import * as t from 'io-ts'
import { ContractId } from '../shared/asset.ts'
import { fact, facts } from '../shared/fact.ts'
import { partial, strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'
import { Count, UnixMs } from '../shared/units.ts'

const decision = { by: Text, reason: Text, at: UnixMs }
const scope = partial({ merchantId: Text })

/** Subscribers are asked for mandates in `contract`: all of them, or those of one merchant. */
export const MigrationDecision = t.intersection([strict({ contract: ContractId, ...decision }), scope])
export type MigrationDecision = t.TypeOf<typeof MigrationDecision>

const MigrationCancellation = t.intersection([strict(decision), scope])

/** No living mandate is left to be moved. `signed`: customers who have signed anew; `ended`: subscriptions that ended instead. */
const MigrationCompletion = t.intersection([strict({ signed: Count, ended: Count, at: UnixMs }), scope])

export const MigrationEvent = facts([
  fact('MigrationBegun', MigrationDecision),
  fact('MigrationCanceled', MigrationCancellation),
  fact('MigrationCompleted', MigrationCompletion),
])
export type MigrationEvent = t.TypeOf<typeof MigrationEvent>
