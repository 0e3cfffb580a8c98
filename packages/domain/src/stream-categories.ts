import { OutflowApproval } from './approval/index.ts'
import { Channel } from './channel/index.ts'
import { Checkout } from './checkout/index.ts'
import { Credits } from './credits/index.ts'
import { Customer } from './customer/index.ts'
import { CustomerMerges } from './customer-merges/index.ts'
import { Exception } from './exception/index.ts'
import { Freezes } from './freeze/index.ts'
import { Funding } from './funding/index.ts'
import { Intent } from './intent/index.ts'
import { InvoiceSession } from './invoice/index.ts'
import { LedgerIngestion } from './ledger-ingestion/index.ts'
import { LedgerTransaction } from './ledger-transaction/index.ts'
import { Limits } from './limits/index.ts'
import { LogHistory } from './log-history/index.ts'
import { LogTransparency } from './log-transparency/index.ts'
import { Merchant } from './merchant/index.ts'
import { Migrations } from './migration/index.ts'
import { Payment } from './payment/index.ts'
import { Payout } from './payout/index.ts'
import { PayoutBook } from './payout-book/index.ts'
import { PayoutDestination } from './payout-destination/index.ts'
import { PriceChange } from './price-change/index.ts'
import { Product } from './product/index.ts'
import { Refund } from './refund/index.ts'
import { Reservation } from './reservation/index.ts'
import { Holds } from './screening/index.ts'
import { Subscription } from './subscription/index.ts'
import { Team } from './team/index.ts'
import { Webhook } from './webhook/index.ts'

const aggregates: ReadonlyArray<{ readonly category: string }> = [
  Channel,
  Checkout,
  Credits,
  Customer,
  CustomerMerges,
  Exception,
  Freezes,
  Funding,
  Holds,
  Intent,
  InvoiceSession,
  LedgerIngestion,
  LedgerTransaction,
  Limits,
  LogHistory,
  LogTransparency,
  Merchant,
  Migrations,
  OutflowApproval,
  Payment,
  Payout,
  PayoutBook,
  PayoutDestination,
  PriceChange,
  Product,
  Refund,
  Reservation,
  Subscription,
  Team,
  Webhook,
]

/** The category of each aggregate: all streams of the log begin with one of them and a hyphen. */
export const streamCategories: ReadonlyArray<string> = aggregates.map(({ category }) => category)
