import fc from 'fast-check'
import type { CustomerMerge, CustomerMergesCommand, CustomerMergesEvent } from '../customer-merges/index.ts'
import { CustomerId } from '../shared/ids.ts'
import { event } from './any-event.ts'
import * as some from './arbitraries.ts'
import { exampleId } from './examples.ts'

// A few, so that merges meet.
const aCustomer = fc.constantFrom(...[1, 2, 3, 4].map((number) => exampleId(CustomerId, number)))
const merge = (customer: fc.Arbitrary<CustomerId>): fc.Arbitrary<CustomerMerge> =>
  some.record({ from: customer, into: customer, by: some.anyText, reason: some.anyText })

export const anyCustomerMergesCommand: fc.Arbitrary<CustomerMergesCommand> = merge(aCustomer).map((each) => ({
  type: 'MergeCustomers',
  ...each,
}))

export const anyCustomerMergesEvent: fc.Arbitrary<CustomerMergesEvent> = event(
  'CustomersMerged',
  merge(some.anyId(CustomerId)),
)
