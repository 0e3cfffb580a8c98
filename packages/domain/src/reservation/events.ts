import type * as t from 'io-ts'
import { fact, facts } from '../shared/fact.ts'
import { strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'

// The stream is named by a keyed hash of the value that only one owner may hold. An owner is the id of a resource.
export const ReservationEvent = facts([
  fact('Claimed', strict({ owner: Text })),
  fact('TakenOver', strict({ owner: Text, from: Text })),
  fact('Released', strict({ owner: Text })),
])
export type ReservationEvent = t.TypeOf<typeof ReservationEvent>
