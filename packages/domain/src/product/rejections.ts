import type { MetadataRejection } from '../shared/metadata.ts'
import type { ProductType } from './events.ts'

export type ProductRejection =
  | { readonly _tag: 'ProductNotFound' }
  | { readonly _tag: 'ProductAlreadyExists' }
  | { readonly _tag: 'RecurringPeriodMissing' }
  | { readonly _tag: 'RecurringPeriodNotAllowed'; readonly productType: ProductType }
  | { readonly _tag: 'TrialNotAllowed'; readonly productType: ProductType }
  | { readonly _tag: 'TrialTooLong'; readonly maximumDays: number }
  | { readonly _tag: 'PriceNotPositive' }
  | MetadataRejection
