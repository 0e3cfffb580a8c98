import { CustomerId, ProductId } from '../shared/ids.ts'
import { stroops } from '../shared/stroops.ts'
import { minuteMs, positiveCount } from '../shared/units.ts'
import {
  accepted,
  after,
  attemptFailed,
  closed,
  created,
  creditOf,
  deadline,
  died,
  exact,
  firstPayment,
  newQuote,
  quote,
  quoted,
  sale,
  settled,
  submitted,
} from '../testing/checkout-examples.ts'
import { eurc, exampleId, start } from '../testing/examples.ts'
import { scenario } from '../testing/scenario.ts'
import { Checkout, type CheckoutCommand, type CheckoutEvent, quoteLifetimeMs } from './index.ts'

const { given } = scenario(Checkout.decider)
const { expiresAt: _, ...asked } = sale
const create: CheckoutCommand = { type: 'CreateCheckout', at: start, ...asked }
const ada = exampleId(CustomerId, 1)
const attach: CheckoutCommand = { type: 'AttachCustomer', customerId: ada }
const issue: CheckoutCommand = { type: 'IssueQuote', at: start, quote: newQuote }

const part = creditOf(40_000_000n)
const partlyPaid: ReadonlyArray<CheckoutEvent> = [created, quoted, accepted(part)]
const wrongAsset: CheckoutEvent = {
  type: 'CreditSetAside',
  data: { credit: { ...exact, assetId: eurc }, reason: 'wrong_asset' },
}

describe('creating a checkout', () => {
  it('opens a session for 24 hours', () => given([]).when(create).then([created]))
  it('quotes a price in the asset at once, until the deadline', () => {
    const price = { _tag: 'asset', stroops: stroops(70_000_000n) } as const
    const only = { ...quote, amount: stroops(70_000_000n), validUntil: deadline, excessFloor: null }
    given([])
      .when({ ...create, price })
      .then([
        { type: 'CheckoutCreated', data: { ...sale, price } },
        { type: 'QuoteIssued', data: only },
      ])
  })
  it('copies product and price version', () => {
    const product = { kind: 'product', productId: exampleId(ProductId, 1), priceVersion: positiveCount(2) } as const
    given([])
      .when({ ...create, ...product })
      .then([{ type: 'CheckoutCreated', data: { ...sale, ...product } }])
  })
  it('records nothing when repeated, whatever has come since', () => given(settled).when(create).then([]))
  it('rejects an id that has another sale', () =>
    given([created])
      .when({ ...create, customerId: ada })
      .rejects({ _tag: 'CheckoutAlreadyExists' }))
  it.each([
    { kind: 'product', productId: null, priceVersion: null },
    { kind: 'product', productId: exampleId(ProductId, 1), priceVersion: null },
    { kind: 'direct', productId: exampleId(ProductId, 1), priceVersion: null },
    { kind: 'direct', productId: null, priceVersion: positiveCount(1) },
  ] as const)('rejects a sale whose kind and product disagree: %j', (mixed) =>
    given([])
      .when({ ...create, ...mixed })
      .rejects({ _tag: 'ProductMismatch' }),
  )
  it('rejects an asset price of zero', () =>
    given([])
      .when({ ...create, price: { _tag: 'asset', stroops: stroops(0n) } })
      .rejects({ _tag: 'PriceNotPositive' }))
})

describe('a quote', () => {
  it('keeps a quote valid for 15 minutes for a pegged asset', () => given([created]).when(issue).then([quoted]))
  it('keeps a quote valid for 5 minutes for any other asset', () =>
    given([created])
      .when({ ...issue, quote: { ...newQuote, pegged: false } })
      .then([{ type: 'QuoteIssued', data: { ...quote, validUntil: after(5 * minuteMs) } }]))
  it('does not renew a quote a millisecond before it ends', () =>
    given([created, quoted])
      .when({ ...issue, at: after(quoteLifetimeMs(true) - 1) })
      .then([]))
  it('renews a quote when it ends, with the next number', () => {
    const at = after(quoteLifetimeMs(true))
    const second = { ...quote, ordinal: positiveCount(2), validFrom: at, validUntil: after(30 * minuteMs) }
    given([created, quoted])
      .when({ ...issue, at })
      .then([{ type: 'QuoteIssued', data: second }])
  })
  it('ends a quote with the session', () =>
    given([created])
      .when({ ...issue, at: after(deadline - start - 1) })
      .then([
        { type: 'QuoteIssued', data: { ...quote, validFrom: after(deadline - start - 1), validUntil: deadline } },
      ]))
  it('rejects a quote from the deadline on', () =>
    given([created])
      .when({ ...issue, at: deadline })
      .rejects({ _tag: 'DeadlinePassed', expiresAt: deadline }))
  it('rejects a quote of nothing', () =>
    given([created])
      .when({ ...issue, quote: { ...newQuote, amount: stroops(0n) } })
      .rejects({ _tag: 'QuoteNotPositive' }))
  it('needs no quote for a price in the asset', () =>
    given([{ type: 'CheckoutCreated', data: { ...sale, price: { _tag: 'asset', stroops: stroops(5n) } } }])
      .when(issue)
      .then([]))
  it.each(closed)('rejects a quote when the session is $status', ({ history, rejection }) =>
    given(history).when(issue).rejects(rejection),
  )
})

describe('attaching a customer', () => {
  const attached: CheckoutEvent = { type: 'CustomerAttached', data: { customerId: ada } }
  it('attaches a customer to a guest session', () => given([created]).when(attach).then([attached]))
  it('records nothing when the customer is attached again', () => given([created, attached]).when(attach).then([]))
  it('records nothing for the customer that the session was created with', () =>
    given([{ type: 'CheckoutCreated', data: { ...sale, customerId: ada } }])
      .when(attach)
      .then([]))
  it('rejects another customer than the attached one', () =>
    given([created, attached])
      .when({ type: 'AttachCustomer', customerId: exampleId(CustomerId, 2) })
      .rejects({ _tag: 'CustomerAlreadyAttached', customerId: ada }))
  it('rejects attaching a customer once a payment was received', () =>
    given(partlyPaid).when(attach).rejects({ _tag: 'PaymentAlreadyBegun', paymentId: firstPayment }))
  it('rejects attaching a customer while a transaction is on its way', () =>
    given([created, quoted, submitted]).when(attach).rejects({ _tag: 'PaymentAlreadyBegun', paymentId: firstPayment }))
  it('attaches a customer after a failed attempt', () =>
    given([created, quoted, submitted, died, attemptFailed]).when(attach).then([attached]))
  it('attaches a customer after a payment in another asset', () =>
    given([created, wrongAsset]).when(attach).then([attached]))
  it.each(closed)('rejects attaching a customer when the session is $status', ({ history, rejection }) =>
    given(history).when(attach).rejects(rejection),
  )
})
