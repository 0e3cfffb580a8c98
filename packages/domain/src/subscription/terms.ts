import type * as t from 'io-ts'
import { RecurringPeriod } from '../product/index.ts'
import { AccountId, ContractId } from '../shared/asset.ts'
import { Cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { ProductId } from '../shared/ids.ts'
import { LedgerSequence } from '../shared/incoming-payment.ts'
import { MandateId } from '../shared/mandate-id.ts'
import { strict } from '../shared/strict.ts'
import { Stroops } from '../shared/stroops.ts'
import { Count, PositiveCount, UnixMs } from '../shared/units.ts'

/** How often a period begins: every `intervalCount` days, weeks, months or years. */
const cycle = { interval: RecurringPeriod, intervalCount: PositiveCount }
/** How often a subscription renews: every so many periods. */
export const Cycle = strict(cycle, 'Cycle')
export type Cycle = t.TypeOf<typeof Cycle>

/** A price in a currency, in hundredths of it. */
export const FiatPrice = strict({ currency: CurrencyCode, cents: Cents }, 'FiatPrice')
export type FiatPrice = t.TypeOf<typeof FiatPrice>

/** Periods that nobody is charged for because of a cause on our side: what the merchant has lost is their price each. */
export const LostPeriods = strict({ periods: PositiveCount, price: FiatPrice }, 'LostPeriods')
export type LostPeriods = t.TypeOf<typeof LostPeriods>

/** What is sold, at the price version that this customer has. */
export const SubscriptionTerms = strict(
  {
    productId: ProductId,
    priceVersion: PositiveCount,
    price: FiatPrice,
    ...cycle,
  },
  'SubscriptionTerms',
)
export type SubscriptionTerms = t.TypeOf<typeof SubscriptionTerms>

/** Half-open, [start, end), in whole seconds × 1000. */
export const Period = strict({ start: UnixMs, end: UnixMs }, 'Period')
export type Period = t.TypeOf<typeof Period>

/** The moment at which period `n` begins; those after it are counted from here. In whole seconds × 1000. */
export const Anchor = strict({ at: UnixMs, n: Count }, 'Anchor')
export type Anchor = t.TypeOf<typeof Anchor>

/** What a customer has approved, by the ledger. `expiresAt` is when its last ledger is expected to close. */
export const Approval = strict(
  { allowance: Stroops, allowanceExpiryLedger: LedgerSequence, expiresAt: UnixMs, approvedAt: UnixMs },
  'Approval',
)
export type Approval = t.TypeOf<typeof Approval>

/** A mandate that the ledger shows. `customer` is the wallet that pays; `cap` is for one period. */
export const Mandate = strict(
  {
    mandateId: MandateId,
    contract: ContractId,
    customer: AccountId,
    payee: AccountId,
    operator: AccountId,
    token: ContractId,
    cap: Stroops,
    ...cycle,
    firstChargeAt: UnixMs,
    approval: Approval,
  },
  'Mandate',
)
export type Mandate = t.TypeOf<typeof Mandate>
