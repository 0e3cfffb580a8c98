import type {
  CheckoutRejection,
  Count,
  HttpUrl,
  MetadataRejection,
  PriceRejection,
  Text,
  TrialRejection,
} from '@quittance/domain'
import type { LedgerUnreachable } from '@quittance/ledger'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import type { SalesFrozen } from '../../services/freezing.ts'
import type { NetworkNotConfigured } from '../../services/services.ts'
import type { AssetNotAccepted, MerchantNotReady } from '../../services/settlements.ts'
import type { CustomerFailure } from '../customers/create.ts'
import type { WantedCustomer } from '../customers/customers.ts'
import type { CustomerNotFound } from '../customers/living.ts'
import type { AlreadySubscribed } from '../customers/living-subscriptions.ts'
import type { EmailOfAnother } from '../customers/own-email.ts'
import type { CannotCollect } from '../mandates/collecting.ts'
import type { MandatesNotConfigured } from '../mandates/failures.ts'
import type { ProductNotFound } from '../products/products.ts'
import type { CannotBePaid } from '../settlement-account/payable-account.ts'

/** What both kinds of checkout accept. */
export type CheckoutOptions = {
  readonly customer: WantedCustomer
  readonly redirectUrl: HttpUrl | null
  readonly description: Text | null
  readonly metadata: unknown
  /** Trial days instead of the product's own; for subscriptions only. */
  readonly trialDays?: Count | null
}

export type CheckoutFailure =
  | ExecuteFailure
  | CheckoutRejection
  | CustomerFailure
  | CustomerNotFound
  | EmailOfAnother
  | ProductNotFound
  | PriceRejection
  | MetadataRejection
  | AssetNotAccepted
  | MerchantNotReady
  | CannotBePaid
  | CannotCollect
  | LedgerUnreachable
  | NetworkNotConfigured
  | SalesFrozen
  | { readonly _tag: 'ProductArchived' }
  | TrialRejection
  | AlreadySubscribed
  | MandatesNotConfigured
export type CheckoutNotFound = { readonly _tag: 'CheckoutNotFound' }
