import { Payment, type PaymentEvent, type PaymentState } from '@quittance/domain'
import { incomingPaymentKey } from '@quittance/projections'
import { namedStatus, type Origin, type Told, tellerOf } from '../told.ts'
import { inAsset, inFiat, moment, short } from '../words.ts'
import { intentEnds } from './intent.ts'
import { stream } from './streams.ts'

const failures = {
  transaction_dead: 'its transaction is proven dead, and nothing else came',
  underpaid: 'too little had come at the deadline',
  charge_refused: 'the contract refused the charge',
  not_sent: 'the charge could not be sent',
  network_reset: 'the network was reset',
} as const

const opening = {
  submission: 'a wallet has sent a transaction for it',
  credit: 'money came that nobody had announced',
  renewal: 'a charge of a subscription fell due',
} as const

const keysIn = (state: PaymentState): ReadonlyArray<string> =>
  state.status === 'absent' ? [] : state.incomingPayments.map(incomingPaymentKey)

const words = (event: PaymentEvent, state: PaymentState, id: string): Told => {
  const assetId = state.status === 'absent' ? null : state.details.assetId
  const details = state.status === 'absent' ? null : state.details
  const price =
    details === null || details.currencyCode === null || details.amountCents === null
      ? null
      : { currency: details.currencyCode, cents: details.amountCents }
  const own = (...types: ReadonlyArray<PaymentEvent['type']>): Origin => ({ stream: stream.payment(id), types })
  switch (event.type) {
    case 'PaymentOpened': {
      const { checkoutId, customerId, productId, subscriptionId, cause, invoiceId } = event.data
      return {
        what: price === null ? 'Payment opened' : `Payment of ${inFiat(price)} opened`,
        why: opening[cause],
        price,
        // The session of a renewal is that of the subscription: it tells nothing of this payment.
        names: [subscriptionId ?? checkoutId, customerId, productId, invoiceId ?? null].filter((each) => each !== null),
        follows: [
          ...(subscriptionId === null
            ? []
            : [{ stream: stream.subscription(subscriptionId), types: ['ChargeAttempted'] }]),
          ...(invoiceId === undefined
            ? []
            : [{ stream: stream.invoice(invoiceId), types: ['TransactionSubmitted', 'CreditAccepted'] }]),
          { stream: stream.checkout(checkoutId), types: ['TransactionSubmitted', 'CreditAccepted'] },
        ],
      }
    }
    case 'PaymentSubmitted':
      return {
        what: `Transaction ${short(event.data.transactionHash)} was sent`,
        why: `it may arrive until ${moment(event.data.maxTime)}`,
        transactionHash: event.data.transactionHash,
        follows: [own('PaymentOpened')],
      }
    case 'PaymentCredited': {
      const { credit } = event.data
      return {
        what: `${inAsset(credit.amount, credit.assetId)} came from ${short(credit.from)}`,
        why: 'a closed ledger holds it',
        amount: { stroops: credit.amount, assetId: credit.assetId },
        transactionHash: credit.transactionHash,
        ledger: credit.ledger,
        names: credit.exceptionId === undefined ? [] : [credit.exceptionId],
        follows: [intentEnds(id), { stream: stream.checkout(details?.checkoutId ?? ''), types: ['CreditAccepted'] }],
        root: 'ledger',
      }
    }
    case 'PaymentConfirmed': {
      const { amount, excess, overpaid, late, transactionHash, ledger } = event.data
      const notes = [
        ...(late ? ['it came late, and still counts'] : []),
        ...(excess > 0n ? [`${inAsset(excess, assetId)} too much goes back`] : []),
        ...(overpaid > 0n ? [`${inAsset(overpaid, assetId)} too much is kept`] : []),
      ]
      return {
        what: `Payment of ${inAsset(amount, assetId)} confirmed`,
        why: ['a closed ledger holds all of it', ...notes].join('; '),
        price,
        amount: assetId === null ? null : { stroops: amount, assetId },
        transactionHash,
        ledger,
        misfits: excess > 0n ? keysIn(state) : [],
        follows: [own('PaymentCredited'), intentEnds(id)],
        root: 'ledger',
      }
    }
    case 'PaymentFailed':
      return {
        what: 'Payment failed',
        why: failures[event.data.reason],
        price,
        follows: [intentEnds(id), own('PaymentSubmitted', 'PaymentOpened')],
        root: 'ledger',
      }
    case 'RefundClaimed': {
      const { refundId, reason, destination, amount } = event.data
      return {
        what: `Refund asked for, to ${short(destination)}`,
        why: reason,
        amount: assetId === null || amount === undefined ? null : { stroops: amount, assetId },
        names: [refundId],
        needs: 'refunds',
      }
    }
    case 'RefundReleased':
      return {
        what: 'The refund came to nothing; another may follow',
        names: [event.data.refundId],
        needs: 'refunds',
        follows: [{ stream: stream.refund(event.data.refundId), types: ['RefundFailed'] }],
      }
    case 'ReturnClaimed':
      return {
        what: 'The money goes back without a refund',
        why: 'the subscription has set it aside',
        misfits: keysIn(state),
        follows: [{ stream: stream.subscription(details?.subscriptionId ?? ''), types: ['PaymentSetAside'] }],
      }
    case 'PaymentRefunded':
      return {
        what: 'Payment refunded',
        why: 'a closed ledger holds the refund',
        names: [event.data.refundId],
        needs: 'refunds',
        follows: [{ stream: stream.refund(event.data.refundId), types: ['RefundSucceeded'] }],
        root: 'ledger',
      }
  }
}

export const paymentTeller = tellerOf(Payment, words, namedStatus)
