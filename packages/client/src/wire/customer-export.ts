import * as t from 'io-ts'
import { AccessResult } from './access.ts'
import { Checkout } from './checkout.ts'
import { orNull, says } from './codecs.ts'
import { CreditBalance, CreditTransaction } from './credits.ts'
import { Customer } from './customer.ts'
import { Exception } from './exception.ts'
import { assetAmount, environment, objectOf } from './fields.ts'
import { Payment } from './payment.ts'
import { Refund } from './refund.ts'
import { Subscription } from './subscription.ts'
import { id, oneOf, timestamp } from './values.ts'

const Mandate = t.type(
  {
    mandate_id: says('The mandate in the contract, in hex.', t.string),
    contract_id: says('The mandate contract.', t.string),
    subscription_id: says('The subscription that it is for.', id('sub_')),
    wallet_address: says('The wallet that has signed it.', t.string),
    cap: says('The most that one period may cost.', assetAmount),
    allowance_expires_at: says('When the approval is expected to run out.', timestamp),
    signed_at: says('When the customer has signed it.', timestamp),
    ended_at: says('Null as long as no ledger is known to hold its end.', orNull(timestamp)),
  },
  'ExportedMandate',
)

const Invoice = t.type(
  {
    id: id('inv_'),
    subscription_id: says('The subscription that it is for.', id('sub_')),
    status: says('How it stands.', oneOf('open', 'completed', 'expired', 'failed')),
    period_start: says('When the period that it is for has begun.', timestamp),
    period_end: says('When that period ends.', timestamp),
    due_at: says('When it was due.', timestamp),
    payment_id: says('The payment that has paid it.', orNull(id('pay_'))),
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
    product_id: says('The product.', id('prod_')),
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
    type: says('What happened.', t.string),
    occurred_at: says('When it happened.', timestamp),
    data: says('The facts of it.', t.UnknownRecord),
  },
  'ExportedFact',
)

const LeftOut = t.type(
  { what: says('What is not in the export.', t.string), reason: says('Why it is not.', t.string) },
  'LeftOut',
)

/** Everything that is kept about a customer. A part that the token may not read is null. */
export const CustomerExport = t.type(
  {
    object: objectOf('customer_export'),
    exported_at: says('When the export was made.', timestamp),
    environment,
    customer: says('The customer.', Customer),
    merged_customers: says('Those that were merged into this one.', t.readonlyArray(Customer)),
    access: says(
      'What the customer may use.',
      orNull(
        t.readonlyArray(
          t.type({ product_id: says('The product.', id('prod_')), ...AccessResult.props }, 'ExportedAccess'),
        ),
      ),
    ),
    subscriptions: says('The subscriptions, also those that have ended.', orNull(t.readonlyArray(Subscription))),
    mandates: says('What the customer has signed for subscriptions.', orNull(t.readonlyArray(Mandate))),
    invoices: says('The invoices of overdue periods.', orNull(t.readonlyArray(Invoice))),
    checkouts: says('With the terms that were accepted.', orNull(t.readonlyArray(Checkout))),
    payments: says('The payments.', orNull(t.readonlyArray(Payment))),
    refunds: says('The refunds.', orNull(t.readonlyArray(Refund))),
    exceptions: says('Money that did not fit.', orNull(t.readonlyArray(ExportedException))),
    credits: says('The prepaid credits, by product.', t.readonlyArray(Credits)),
    history: says('What was recorded, event by event.', t.readonlyArray(Fact)),
    left_out: says('What is kept and not here.', t.readonlyArray(LeftOut)),
  },
  'CustomerExport',
)
export type CustomerExport = t.TypeOf<typeof CustomerExport>
