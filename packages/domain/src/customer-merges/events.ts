import type * as t from 'io-ts'
import { fact, facts } from '../shared/fact.ts'
import { CustomerId } from '../shared/ids.ts'
import { strict } from '../shared/strict.ts'
import { Text } from '../shared/text.ts'

/** One person stood as two customers: `from` is `into` from now on. `by` says so, and why. */
export const CustomerMerge = strict({ from: CustomerId, into: CustomerId, by: Text, reason: Text }, 'CustomerMerge')
export type CustomerMerge = t.TypeOf<typeof CustomerMerge>

/** What happens to merges of customers, as its stream holds it. */
export const CustomerMergesEvent = facts([fact('CustomersMerged', CustomerMerge)])
export type CustomerMergesEvent = t.TypeOf<typeof CustomerMergesEvent>
