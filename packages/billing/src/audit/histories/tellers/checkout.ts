import {
  Checkout,
  type CheckoutEvent,
  type CheckoutPrice,
  type CheckoutState,
  formatAmount,
  type IncomingPayment,
  InvoiceSession,
  shownStatus,
} from '@quittance/domain'
import { incomingPaymentKey } from '@quittance/projections'
import { type Origin, type Told, tellerOf } from '../told.ts'
import { counted, inAsset, inFiat, inWords, moment, short } from '../words.ts'
import { stream } from './streams.ts'

const priceOf = (price: CheckoutPrice) =>
  price._tag === 'fiat' ? { currency: price.currency, cents: price.cents } : null

const asides = {
  wrong_asset: 'it is another asset, or of another issuer',
  paid_twice: 'the price was covered already',
  late: 'it came too late, and was not enough for the price of that moment',
  after_failure: 'the session had failed already',
  authorization_failed: 'it came for a subscription, but not by a mandate that counts',
} as const

const refusals = {
  not_offered: 'it is not what was offered',
  already_enrolled: 'another mandate counts already',
  already_subscribed: 'the customer has a subscription of the product already',
  session_over: 'the session was over',
  trial_taken: 'the wallet or the customer has had the trial already',
  unpaid: 'the first amount did not arrive',
  stale_price: 'no quote for it was valid any more',
} as const

const arrived = ({ amount, assetId, transactionHash, ledger }: IncomingPayment) => ({
  amount: { stroops: amount, assetId },
  transactionHash,
  ledger,
  root: 'ledger' as const,
})

const wordsIn =
  (name: 'Checkout' | 'Invoice', streamOf: (id: string) => string) =>
  (event: CheckoutEvent, state: CheckoutState, id: string): Told => {
    const assetId = state.status === 'absent' ? null : state.details.assetId
    const price = state.status === 'absent' ? null : priceOf(state.details.price)
    const own = (...types: ReadonlyArray<CheckoutEvent['type']>): Origin => ({ stream: streamOf(id), types })
    switch (event.type) {
      case 'CheckoutCreated': {
        const { productId, customerId, invoice, price: asked, expiresAt, subscription } = event.data
        const worth = asked._tag === 'fiat' ? inFiat(asked) : inAsset(asked.stroops, event.data.assetId)
        const sold = subscription === undefined ? worth : `a subscription at ${worth}`
        return {
          what: `${name} opened for ${sold}, until ${moment(expiresAt)}`,
          why: invoice === undefined ? null : `period ${invoice.n} of a subscription is owed`,
          price: priceOf(asked),
          names: [productId, customerId, invoice?.subscriptionId ?? null].filter((each) => each !== null),
          follows:
            invoice === undefined
              ? []
              : [{ stream: stream.subscription(invoice.subscriptionId), types: ['BecameOverdue'] }],
        }
      }
      case 'QuoteIssued': {
        const { amount, rates, validUntil } = event.data
        return {
          what: `Price quoted: ${inAsset(amount, assetId)}, until ${moment(validUntil)}`,
          why:
            rates.length === 0
              ? 'the price is stated in the asset itself'
              : `by ${counted(rates.length, 'observed rate')}`,
          price,
          rates,
          amount: assetId === null ? null : { stroops: amount, assetId },
          follows: [own('CheckoutCreated')],
        }
      }
      case 'CustomerAttached':
        return { what: 'The customer is known', names: [event.data.customerId] }
      case 'MandateOffered':
        return {
          what: `A mandate was offered to wallet ${short(event.data.customer)}: at most ${formatAmount(event.data.cap, event.data.assetId)} a period`,
          why: event.data.trialDays === 0 ? null : `with a trial of ${counted(event.data.trialDays, 'day')}`,
          transactionHash: event.data.transactionHash,
          follows: [own('QuoteIssued')],
        }
      case 'EnrolmentSeen':
        return {
          what: `The ledger shows the mandate of wallet ${short(event.data.wallet)}`,
          why: 'it equals what was offered',
          transactionHash: event.data.transactionHash,
          ledger: event.data.ledger,
          names: [event.data.subscriptionId],
          follows: [own('MandateOffered')],
          root: 'ledger',
        }
      case 'EnrolmentRefused':
        return {
          what: 'A mandate on the ledger does not count',
          why: refusals[event.data.reason],
          transactionHash: event.data.transactionHash,
          ledger: event.data.ledger,
          root: 'ledger',
        }
      case 'TransactionSubmitted':
        return {
          what: `The payer sent transaction ${short(event.data.transactionHash)}`,
          transactionHash: event.data.transactionHash,
          names: [event.data.paymentId],
        }
      case 'TransactionDied':
        return {
          what: `Transaction ${short(event.data.transactionHash)} will never arrive`,
          why: 'its time is over, and no ledger holds it',
          transactionHash: event.data.transactionHash,
          follows: [own('TransactionSubmitted')],
          root: 'ledger',
        }
      case 'PaymentAttemptFailed':
        return {
          what: 'An attempt to pay failed; the session stays open',
          names: [event.data.paymentId],
          follows: [{ stream: stream.payment(event.data.paymentId), types: ['PaymentFailed'] }],
        }
      case 'CreditAccepted':
        return {
          what: `${formatAmount(event.data.credit.amount, event.data.credit.assetId)} came from ${short(event.data.credit.from)}, and counts`,
          why: 'a closed ledger holds it',
          ...arrived(event.data.credit),
          names: [event.data.paymentId],
          follows: [own('TransactionSubmitted')],
        }
      case 'CreditSetAside':
        return {
          what: `${formatAmount(event.data.credit.amount, event.data.credit.assetId)} came from ${short(event.data.credit.from)}, and does not count`,
          why: asides[event.data.reason],
          ...arrived(event.data.credit),
          misfits: [incomingPaymentKey(event.data.credit)],
        }
      case 'CheckoutSettled': {
        const { paymentId, received, transactionHash, ledger, late } = event.data
        return {
          what: `The price is covered, by ${inAsset(received, assetId)}`,
          why: late ? 'it came late, and covers the price of that moment' : null,
          price,
          amount: assetId === null ? null : { stroops: received, assetId },
          transactionHash,
          ledger,
          names: [paymentId],
          follows: [own('CreditAccepted')],
          root: 'ledger',
        }
      }
      case 'CheckoutCompleted':
        return {
          what: `${name} completed`,
          why: 'it is paid',
          names: [event.data.paymentId],
          follows: [
            { stream: stream.payment(event.data.paymentId), types: ['PaymentConfirmed'] },
            own('CheckoutSettled'),
          ],
        }
      case 'CheckoutCompletedUnpaid':
        return {
          what: `${name} completed`,
          why: 'the trial began; nothing is due yet',
          follows: [own('EnrolmentSeen')],
        }
      case 'CheckoutExpired':
        return {
          what: `${name} expired`,
          why: 'its time is over, or the merchant ended it, and nothing came',
          root: 'clock',
        }
      case 'CheckoutFailed':
        return {
          what: `${name} ended without success`,
          why: inWords(event.data.reason),
          names: event.data.paymentId === null ? [] : [event.data.paymentId],
          misfits: state.status === 'absent' ? [] : state.accepted.map(incomingPaymentKey),
          follows: [own('CreditSetAside', 'EnrolmentRefused')],
          root: 'clock',
        }
    }
  }

const statusOf = (state: CheckoutState): string | null => (state.status === 'absent' ? null : shownStatus(state))

/** Where its money is on the ledger, only readers of payments are told. */
const withoutTransactions =
  (words: ReturnType<typeof wordsIn>): ReturnType<typeof wordsIn> =>
  (...given) => {
    const told = words(...given)
    return told.transactionHash == null ? told : { ...told, needs: 'payments' }
  }

export const checkoutTeller = tellerOf(Checkout, withoutTransactions(wordsIn('Checkout', stream.checkout)), statusOf)
export const invoiceTeller = tellerOf(InvoiceSession, withoutTransactions(wordsIn('Invoice', stream.invoice)), statusOf)
