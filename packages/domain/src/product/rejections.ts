import type { CurrencyCode } from '../shared/currency.ts'
import type { MetadataRejection } from '../shared/metadata.ts'
import type { ProductType } from './events.ts'
import type { TrialRejection } from './trial.ts'

/** Why a command about a product is refused, with the facts that explain it. */
export type ProductRejection =
  | { readonly _tag: 'ProductNotFound' }
  | { readonly _tag: 'ProductAlreadyExists' }
  | { readonly _tag: 'RecurringPeriodMissing' }
  | { readonly _tag: 'RecurringPeriodNotAllowed'; readonly productType: ProductType }
  | TrialRejection
  /** What was sold is stated in it: another currency takes another product. */
  | { readonly _tag: 'CurrencyIsFixed'; readonly currency: CurrencyCode }
  | { readonly _tag: 'PriceNotPositive' }
  | MetadataRejection
