import type {
  CheckoutRejection,
  Count,
  HttpUrl,
  MetadataRejection,
  PriceRejection,
  Text,
  TrialRejection,
} from '@quittance/domain'
import type { AssetNotAccepted, MerchantNotReady } from '../assets.ts'
import type { CustomerFailure } from '../customers/create.ts'
import type { WantedCustomer } from '../customers/customers.ts'
import type { CustomerNotFound } from '../customers/living.ts'
import type { ExecuteFailure } from '../execute.ts'
import type { MandatesNotConfigured } from '../mandates/failures.ts'
import type { ProductNotFound } from '../products/products.ts'

/** What both kinds of checkout take. */
export type CheckoutOptions = {
  readonly customer: WantedCustomer
  readonly redirectUrl: HttpUrl | null
  readonly description: Text | null
  readonly metadata: unknown
  /** Days of trial instead of the product's own; only a subscription has any. */
  readonly trialDays?: Count | null
}

export type CheckoutFailure =
  | ExecuteFailure
  | CheckoutRejection
  | CustomerFailure
  | CustomerNotFound
  | ProductNotFound
  | PriceRejection
  | MetadataRejection
  | AssetNotAccepted
  | MerchantNotReady
  | { readonly _tag: 'ProductArchived' }
  | TrialRejection
  | MandatesNotConfigured
export type CheckoutNotFound = { readonly _tag: 'CheckoutNotFound' }
