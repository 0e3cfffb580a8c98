import * as t from 'io-ts'
import { AccessResult } from './access.ts'
import { Checkout } from './checkout.ts'
import { orNull, says } from './codecs.ts'
import { CreditBalance, CreditTransaction } from './credits.ts'
import { Customer } from './customer.ts'
import { Exception } from './exception.ts'
import { assetAmount, environment } from './fields.ts'
import { Payment } from './payment.ts'
import { Refund } from './refund.ts'
import { Subscription } from './subscription.ts'
import { id, oneOf, timestamp } from './values.ts'

const Mandate = t.type(
  {
    mandate_id: t.string,
    contract_id: t.string,
    subscription_id: id('sub_'),
    wallet_address: says('The wallet that has signed it.', t.string),
    cap: says('The most that one period may cost.', assetAmount),
    allowance_expires_at: timestamp,
    signed_at: timestamp,
    ended_at: says('Null as long as no ledger is known to hold its end.', orNull(timestamp)),
  },
  'ExportedMandate',
)

const Invoice = t.type(
  {
    id: id('inv_'),
    subscription_id: id('sub_'),
    status: oneOf('open', 'completed', 'expired', 'failed'),
    period_start: timestamp,
    period_end: timestamp,
    due_at: timestamp,
    payment_id: orNull(id('pay_')),
  },
  'ExportedInvoice',
)

const { props } = Exception
const ExportedException = t.type(
  {
    id: props.id,
    object: props.object,
    kind: props.kind,
    status: props.status,
    asset_id: props.asset_id,
    amount: props.amount,
    transaction_hash: props.transaction_hash,
    from_address: props.from_address,
    checkout_id: props.checkout_id,
    payment_id: props.payment_id,
    return_transaction_hash: props.return_transaction_hash,
    created_at: props.created_at,
    resolved_at: props.resolved_at,
  },
  'ExportedException',
)

const Credits = t.type(
  {
    ...CreditBalance.props,
    product_id: id('prod_'),
    transactions: says('The newest 1,000.', t.readonlyArray(CreditTransaction)),
    has_more: says(
      'Whether there are older ones: see `GET /customers/{id}/credits/{product}/transactions`.',
      t.boolean,
    ),
  },
  'ExportedCredits',
)

const Fact = t.type(
  {
    of: says('The id of what it happened to.', t.string),
    type: t.string,
    occurred_at: timestamp,
    data: t.UnknownRecord,
  },
  'ExportedFact',
)

const LeftOut = t.type({ what: t.string, reason: t.string }, 'LeftOut')

/** Everything that is kept about a customer. A part that the token may not read is null. */
export const CustomerExport = t.type(
  {
    object: t.literal('customer_export'),
    exported_at: timestamp,
    environment,
    customer: Customer,
    merged_customers: says('Those that were merged into this one.', t.readonlyArray(Customer)),
    access: orNull(t.readonlyArray(t.type({ product_id: id('prod_'), ...AccessResult.props }, 'ExportedAccess'))),
    subscriptions: orNull(t.readonlyArray(Subscription)),
    mandates: says('What the customer has signed for subscriptions.', orNull(t.readonlyArray(Mandate))),
    invoices: orNull(t.readonlyArray(Invoice)),
    checkouts: says('With the terms that were accepted.', orNull(t.readonlyArray(Checkout))),
    payments: orNull(t.readonlyArray(Payment)),
    refunds: orNull(t.readonlyArray(Refund)),
    exceptions: says('Money that did not fit.', orNull(t.readonlyArray(ExportedException))),
    credits: t.readonlyArray(Credits),
    history: says('What was recorded, event by event.', t.readonlyArray(Fact)),
    left_out: says('What is kept and not here.', t.readonlyArray(LeftOut)),
  },
  'CustomerExport',
)
export type CustomerExport = t.TypeOf<typeof CustomerExport>
