import {
  asText,
  booksId,
  Checkout,
  CheckoutId,
  Credits,
  CurrencyCode,
  Customer,
  CustomerId,
  cents,
  count,
  HttpUrl,
  noMetadata,
  Payment,
  type PaymentCommand,
  PaymentId,
  Product,
  ProductId,
  type ProductType,
  positiveCount,
  RefundId,
  stroops,
  unixMs,
  Webhook,
  type WebhookCommand,
  WebhookId,
} from '@quittance/domain'
import { decoded, exampleCredit, exampleId, hashOf, payerAccount, start, usdc } from '@quittance/domain/testing'
import { anyCustomerCommand } from '@quittance/domain/testing/any-command'
import { anyCreditsCommand } from '@quittance/domain/testing/any-credits'
import { created } from '@quittance/domain/testing/checkout-examples'
import fc from 'fast-check'
import { type Act, anyStep, type Step } from './any-history.ts'

const productTypes: ReadonlyArray<ProductType> = ['one_time', 'metered', 'subscription']

/** Six sales by the numbers of their payments: two customers buy the three products, each product is one of its type. */
const saleOf = (payment: number) => ({
  paymentId: exampleId(PaymentId, payment),
  checkoutId: exampleId(CheckoutId, payment),
  customerId: exampleId(CustomerId, payment % 2),
  productId: exampleId(ProductId, payment % 3),
})

const given =
  (command: PaymentCommand, payment: number): Act =>
  (log) =>
    log.give(Payment, saleOf(payment).paymentId, command)

/** Makes the product of that number. */
const productMade =
  (product: number, productType: ProductType): Act =>
  (log) =>
    log.give(Product, exampleId(ProductId, product), {
      type: 'CreateProduct',
      details: {
        name: asText('A product'),
        description: null,
        images: [],
        productType,
        assetId: usdc,
        price: { currency: decoded(CurrencyCode, 'USD'), cents: cents(1000n) },
        recurringPeriod: productType === 'subscription' ? 'month' : null,
        trialDays: null,
        unit: null,
        unitsPerCredit: positiveCount(1),
        totalCredits: count(0),
        metadata: noMetadata,
      },
    })

const settled =
  (payment: number): Act =>
  async (log) => {
    const { paymentId, checkoutId } = saleOf(payment)
    const { amount, transactionHash, ledger, closedAt } = exampleCredit
    const nothing = { excess: stroops(0n), overpaid: stroops(0n), late: false }
    const data = { paymentId, amountDue: amount, received: amount, ...nothing, transactionHash, ledger, closedAt }
    await log.occur(Checkout, checkoutId, created)
    await log.occur(Checkout, checkoutId, { type: 'CheckoutSettled', data })
  }

const opened = (payment: number): Act => {
  const { paymentId: _, ...sold } = saleOf(payment)
  return given(
    {
      type: 'OpenPayment',
      ...sold,
      subscriptionId: null,
      assetId: exampleCredit.assetId,
      currencyCode: null,
      amountCents: null,
      metadata: noMetadata,
      cause: 'credit',
    },
    payment,
  )
}

const aFew = fc.constantFrom(stroops(0n), stroops(1n))
const refundId = exampleId(RefundId, 1)
const anyPaymentStep: fc.Arbitrary<PaymentCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(1, 2)
      .map((n) => ({ type: 'RecordCredit' as const, credit: { ...exampleCredit, transactionHash: hashOf(n) } })),
  },
  {
    weight: 3,
    arbitrary: fc.record({ excess: aFew, overpaid: aFew, late: fc.boolean() }).map((how) => ({
      type: 'ConfirmPayment' as const,
      ...how,
      transactionHash: hashOf(1),
      walletId: null,
      billingDetails: null,
    })),
  },
  fc.constant({ type: 'FailPayment', reason: 'transaction_dead', at: start } as const),
  {
    weight: 2,
    arbitrary: fc.constant({
      type: 'ClaimRefund',
      refundId,
      destination: payerAccount,
      reason: null,
      metadata: noMetadata,
      claimedAt: start,
    } as const),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'RecordRefunded', refundId, at: unixMs(start + 1) } as const) },
)

const payment = fc.integer({ min: 1, max: 6 })
const webhookId = exampleId(WebhookId, 1)
const hook = {
  name: asText('A hook'),
  url: decoded(HttpUrl, 'https://shop.example/hook'),
  events: [asText('*')],
  description: null,
}
const anyHookCommand: fc.Arbitrary<WebhookCommand> = fc.oneof(
  fc.constant({
    type: 'CreateWebhook',
    details: hook,
    secretName: asText('first'),
    allowed: 'https',
    others: 0,
  } as const),
  fc
    .boolean()
    .map((isDisabled) => ({ type: 'UpdateWebhook' as const, changed: {}, isDisabled, allowed: 'https' as const })),
)

/** Of people of whom there are many: one who is deleted stays so. */
const anyPersonAct = fc
  .tuple(fc.array(anyCustomerCommand, { minLength: 2, maxLength: 6 }), fc.integer({ min: 10, max: 20 }))
  .map(
    ([commands, number]): Act =>
      async (log) => {
        for (const command of commands) await log.give(Customer, exampleId(CustomerId, number), command)
      },
  )

const anySaleAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: anyPersonAct },
  {
    weight: 2,
    arbitrary: anyHookCommand.map(
      (command): Act =>
        (log) =>
          log.give(Webhook, webhookId, command),
    ),
  },
  { weight: 3, arbitrary: payment.map(opened) },
  { weight: 2, arbitrary: payment.map(settled) },
  { weight: 6, arbitrary: fc.tuple(anyPaymentStep, payment).map(([command, number]) => given(command, number)) },
  {
    weight: 4,
    // The first books of an account open with nothing.
    arbitrary: fc
      .tuple(
        anyCreditsCommand.filter(({ type }) => type !== 'OpenBooks'),
        payment,
      )
      .map(
        ([command, number]): Act =>
          (log) =>
            log.give(Credits, booksId(saleOf(number), positiveCount(1)), command),
      ),
  },
)

/** Sales of known products to known customers, between everything else that happens. */
export const anySales: fc.Arbitrary<ReadonlyArray<Step>> = fc
  .array(fc.oneof({ weight: 4, arbitrary: anySaleAct.map((act): Step => [act, 1, 'testnet']) }, anyStep), {
    minLength: 20,
    maxLength: 60,
  })
  .map((steps) => [...productTypes.map((type, product): Step => [productMade(product, type), 1, 'testnet']), ...steps])
