import type { Billing } from '@quittance/billing'
import { Count, type Policy } from '@quittance/domain'
import { type Fields, policyFields } from '../policy.ts'
import { readTime } from '../read-time.ts'

type Asked = Parameters<Billing['whatIf']>[0]
type OtherPrice = NonNullable<Asked['prices']>[number]
/** What a file of `whatif` may say: a policy, and what is different besides. */
export type OtherPolicy = Policy & Required<Pick<Asked, 'prices' | 'longestPauseDays'>>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const priceIn = ([productId, value]: readonly [string, unknown]): ReadonlyArray<OtherPrice> => {
  if (!isObject(value)) return []
  const { amount, from = null, ...others } = value
  if (typeof amount !== 'string' || !(from === null || typeof from === 'string')) return []
  const since = readTime(from)
  return since === undefined || Object.keys(others).length > 0 ? [] : [{ productId, amount, since }]
}

export const otherPolicyFields: Fields<OtherPolicy> = {
  ...policyFields,
  prices: {
    expected:
      'prices by product, such as {"prod_…": {"amount": "12.5", "from": "2026-03"}}, where from may be left out',
    read: (value) => {
      if (!isObject(value)) return null
      const prices = Object.entries(value).map(priceIn)
      return prices.some((each) => each.length === 0) ? null : { prices: prices.flat() }
    },
  },
  longest_pause_days: {
    expected: 'whole days, 0 or more',
    read: (value) => (Count.is(value) ? { longestPauseDays: value } : null),
  },
}

/** What nobody can know of a life by other rules, in sentences. */
export const assumptionsOf = (
  prices: OtherPolicy['prices'],
  longestPauseDays: OtherPolicy['longestPauseDays'],
): ReadonlyArray<string> => [
  ...(prices.length === 0
    ? []
    : [
        'It assumes that nobody would have joined, stayed away or canceled because of another price.',
        'It assumes that mandates would have allowed it, and that wallets would have had it when they had the recorded one.',
      ]),
  ...(longestPauseDays === null ? [] : ['It assumes that nobody would have canceled for want of a longer pause.']),
]
