import { cents } from '../shared/cents.ts'
import { ApiKeyId } from '../shared/ids.ts'
import { asText } from '../shared/text.ts'
import { unixMs } from '../shared/units.ts'
import { exampleId, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import type { Limit, LimitScope } from './index.ts'
import { Limits } from './index.ts'

const { given } = scenario(Limits.decider)
const hourMs = 3_600_000
const key = exampleId(ApiKeyId, 1)
const dollars = (amount: number | null) => (amount === null ? null : cents(BigInt(amount) * 100n))
const after = (hours: number) => unixMs(start + hours * hourMs)

const set = (amount: number | null, hours = 0, scope: LimitScope = 'merchant', acceptedAt: number | null = null) => ({
  type: 'SetLimit' as const,
  setter: 'merchant' as const,
  scope,
  amount: dollars(amount),
  at: after(hours),
  by: asText(key),
  acceptedAt: acceptedAt === null ? null : after(acceptedAt),
})
const wasSet = (
  amount: number | null,
  before: number | null = null,
  hours = 0,
  delay = 0,
  more: Partial<Limit> = {},
) => ({
  type: 'LimitSet' as const,
  data: {
    setter: 'merchant' as const,
    scope: 'merchant' as const,
    amount: dollars(amount),
    before: dollars(before),
    setAt: after(hours),
    effectiveAt: after(hours + delay),
    by: asText(key),
    ...more,
  },
})
const outflow = (value: number | null, hours = 0, requester: string = key, subject = 'po_2') => ({
  subject: asText(subject),
  requester: asText(requester),
  value: dollars(value),
  at: after(hours),
})
const admit = (...of: Parameters<typeof outflow>) => ({
  type: 'AdmitOutflow' as const,
  ...outflow(...of),
  mayWait: true,
  acceptedAt: null,
})
const counted = (...of: Parameters<typeof outflow>) => ({ type: 'OutflowCounted' as const, data: outflow(...of) })
const needed = (cause: 'merchant_limit' | 'key_limit' | 'value_unknown', ...of: Parameters<typeof outflow>) => ({
  type: 'ApprovalNeeded' as const,
  data: { outflow: outflow(...of), cause },
})

describe('setting a limit', () => {
  it('counts at once where there was none, or a higher one', () => {
    given([])
      .when(set(50))
      .then([wasSet(50)])
    given([wasSet(50)])
      .when(set(20, 1))
      .then([wasSet(20, 50, 1)])
  })
  it('counts a day later where it is higher, or none', () => {
    given([wasSet(50)])
      .when(set(80, 1))
      .then([wasSet(80, 50, 1, 24)])
    given([wasSet(50)])
      .when(set(null, 1))
      .then([wasSet(null, 50, 1, 24)])
  })
  it('takes a raise back at once, and compares with what counts and not with the raise', () => {
    given([wasSet(50), wasSet(80, 50, 1, 24)])
      .when(set(50, 2))
      .then([wasSet(50, 50, 2)])
    given([wasSet(50), wasSet(80, 50, 1, 24)])
      .when(set(60, 2))
      .then([wasSet(60, 50, 2, 24)])
  })
  it('records nothing where it changes nothing', () => {
    given([]).when(set(null)).then([])
    given([wasSet(50)])
      .when(set(50, 1))
      .then([])
  })
  it('takes a raise from before a restored log was accepted as one that is ahead', () =>
    given([wasSet(50), wasSet(80, 50, 1, 24)])
      .when(set(70, 40, 'merchant', 30))
      .then([wasSet(70, 50, 40, 24)]))
})

describe('an outflow', () => {
  it('is counted up to the limit, and needs an approval above it', () => {
    given([wasSet(50), counted(30, 0, key, 'po_1')])
      .when(admit(20))
      .then([counted(20)])
    given([wasSet(50), counted(30, 0, key, 'po_1')])
      .when(admit(21))
      .then([needed('merchant_limit', 21)])
  })
  it('has room again exactly 24 hours after another', () => {
    const before = [wasSet(50), counted(50, 0, key, 'po_1')]
    given(before)
      .when(admit(1, 23.999))
      .then([needed('merchant_limit', 1, 23.999)])
    given(before)
      .when(admit(50, 24))
      .then([counted(50, 24)])
  })
  it('that waits takes no room', () =>
    given([wasSet(50), needed('merchant_limit', 60, 0, key, 'po_1')])
      .when(admit(50))
      .then([counted(50)]))
  it('is bounded by its key apart, and by what nobody knows the key of', () => {
    const each = wasSet(50, null, 0, 0, { scope: 'each_key' })
    given([each, counted(50, 0, 'another', 'po_1')])
      .when(admit(50))
      .then([counted(50)])
    given([each, counted(50, 0, key, 'po_1')])
      .when(admit(1))
      .then([needed('key_limit', 1)])
    const unknown = { type: 'OutflowCounted' as const, data: { ...outflow(50, 0, key, 'po_1'), requester: null } }
    given([each, unknown])
      .when(admit(1))
      .then([needed('key_limit', 1)])
  })
  it('needs an approval if its value, or that of another, is unknown', () => {
    given([wasSet(50)])
      .when(admit(null))
      .then([needed('value_unknown', null)])
    given([wasSet(50), counted(null, 0, key, 'po_1')])
      .when(admit(1))
      .then([needed('value_unknown', 1)])
  })
  it('of the operator is counted and goes', () =>
    given([wasSet(50)])
      .when({ ...admit(60), mayWait: false })
      .then([counted(60)]))
  it('is bounded by the lower of two limits', () =>
    given([wasSet(50), wasSet(20, null, 0, 0, { setter: 'operator' })])
      .when(admit(21))
      .then([needed('merchant_limit', 21)]))
  it('is not recorded without a limit, nor once a removal counts', () => {
    given([]).when(admit(60)).then([])
    given([wasSet(50), wasSet(null, 50, 0, 24)])
      .when(admit(60, 23))
      .then([needed('merchant_limit', 60, 23)])
    given([wasSet(50), wasSet(null, 50, 0, 24)])
      .when(admit(60, 24))
      .then([])
  })
})
