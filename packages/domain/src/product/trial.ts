import { longestTrialDays } from '../shared/trial-days.ts'
import type { Count } from '../shared/units.ts'
import type { ProductType } from './events.ts'

/** Why a trial is refused. */
export type TrialRejection =
  | { readonly _tag: 'TrialNotAllowed'; readonly productType: ProductType }
  | { readonly _tag: 'TrialTooLong'; readonly maximumDays: number }

/** Why a product of this type cannot be sold with such a trial; null where it can. Null days, and 0, are no trial. */
export const problemWithTrial = (productType: ProductType, trialDays: Count | null): TrialRejection | null => {
  if ((trialDays ?? 0) === 0) return null
  if (productType !== 'subscription') return { _tag: 'TrialNotAllowed', productType }
  return (trialDays ?? 0) > longestTrialDays ? { _tag: 'TrialTooLong', maximumDays: longestTrialDays } : null
}
