import type { PaymentConfirmation, PaymentDetails, PaymentEvent } from '../payment/index.ts'
import { cents } from '../shared/cents.ts'
import { CurrencyCode } from '../shared/currency.ts'
import { CheckoutId, CustomerId, ProductId } from '../shared/ids.ts'
import { noMetadata } from '../shared/metadata.ts'
import { stroops } from '../shared/stroops.ts'
import { decoded, exampleCredit, exampleId, usdc } from './examples.ts'

/** A payment of 10.00 USD in USDC for a product, by a customer whom the merchant knows. */
export const examplePayment: PaymentDetails = {
  checkoutId: exampleId(CheckoutId, 1),
  customerId: exampleId(CustomerId, 1),
  productId: exampleId(ProductId, 1),
  subscriptionId: null,
  assetId: usdc,
  currencyCode: decoded(CurrencyCode, 'USD'),
  amountCents: cents(1000n),
  metadata: noMetadata,
  cause: 'credit',
}

/** Its confirmation: exactly 10 USDC came, in time. */
export const exampleConfirmation: PaymentConfirmation = {
  amount: exampleCredit.amount,
  excess: stroops(0n),
  overpaid: stroops(0n),
  late: false,
  transactionHash: exampleCredit.transactionHash,
  ledger: exampleCredit.ledger,
  confirmedAt: exampleCredit.closedAt,
  walletId: null,
  payer: exampleCredit.from,
  billingDetails: null,
}

/** The whole history of that payment. */
export const confirmedPayment: ReadonlyArray<PaymentEvent> = [
  { type: 'PaymentOpened', data: examplePayment },
  { type: 'PaymentCredited', data: { credit: exampleCredit } },
  { type: 'PaymentConfirmed', data: exampleConfirmation },
]
