import { CustomerId } from '../shared/ids.ts'
import { asText } from '../shared/text.ts'
import { exampleId } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { CustomerMerges } from './index.ts'

const { given } = scenario(CustomerMerges.decider)
const [one, two, three] = [1, 2, 3].map((number) => exampleId(CustomerId, number)) as [
  CustomerId,
  CustomerId,
  CustomerId,
]
const merge = (from: CustomerId, into: CustomerId) => ({
  from,
  into,
  by: asText('Ada'),
  reason: asText('wrote from both addresses'),
})
const asked = (from: CustomerId, into: CustomerId) => ({ type: 'MergeCustomers' as const, ...merge(from, into) })
const merged = (from: CustomerId, into: CustomerId) => ({ type: 'CustomersMerged' as const, data: merge(from, into) })

describe('merging customers', () => {
  it('records who is whom from now on', () =>
    given([])
      .when(asked(one, two))
      .then([merged(one, two)]))
  it('records a repeated merge once', () =>
    given([merged(one, two)])
      .when(asked(one, two))
      .then([]))
  it('records nothing for customers who are one already through a third', () =>
    given([merged(one, two), merged(two, three)])
      .when(asked(one, three))
      .then([]))
  it('merges a customer that has taken others over', () =>
    given([merged(one, two)])
      .when(asked(two, three))
      .then([merged(two, three)]))
  it('refuses a customer and itself', () => given([]).when(asked(one, one)).rejects({ _tag: 'SameCustomer' }))
  it('refuses the opposite merge', () =>
    given([merged(one, two)])
      .when(asked(two, one))
      .rejects({ _tag: 'CustomerIsMerged', customerId: one, into: two }))
  it('refuses to merge a customer into another one twice', () =>
    given([merged(one, two)])
      .when(asked(one, three))
      .rejects({ _tag: 'CustomerIsMerged', customerId: one, into: two }))
  it('refuses to merge into a customer that was merged, and names the one that remains', () =>
    given([merged(one, two), merged(two, three)])
      .when(asked(exampleId(CustomerId, 4), one))
      .rejects({ _tag: 'CustomerIsMerged', customerId: one, into: three }))
})
