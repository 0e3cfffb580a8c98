import { Exception, type ExceptionEvent, type ExceptionState, formatAmount } from '@quittance/domain'
import { namedStatus, type Origin, type Told, tellerOf } from '../told.ts'
import { inWords, moment, short } from '../words.ts'
import { intentEnds, ofReturn } from './intent.ts'
import { stream } from './streams.ts'

const kinds = {
  underpaid: 'too little had come at the deadline',
  overpaid: 'more came than was asked for',
  late: 'it came after the deadline',
  paid_twice: 'it came for a sale that is paid already',
  wrong_asset: 'it is another asset, or of another issuer',
  after_failure: 'it came for a session that had failed',
  authorization_failed: 'it came for a subscription, but not by a mandate that counts',
  unmatched: 'it names nothing of ours',
  dust: 'it names nothing of ours, and is not worth returning',
  unexplained: 'a balance changed by nothing of ours',
  screened: 'a screening stopped it',
} as const

const resolutions = { refund: 'it went back', apply: 'it counts for a checkout', accept: 'it is kept' } as const

const words = (event: ExceptionEvent, state: ExceptionState, id: string): Told => {
  const details = state.status === 'absent' ? null : state.details
  const amount = details === null ? null : { stroops: details.amount, assetId: details.assetId }
  const own = (...types: ReadonlyArray<ExceptionEvent['type']>): Origin => ({ stream: stream.exception(id), types })
  switch (event.type) {
    case 'ExceptionOpened': {
      const { kind, assetId, from, transactionHash, ledger, checkoutId, paymentId } = event.data
      return {
        what: `${formatAmount(event.data.amount, assetId)} from ${short(from)} does not fit`,
        why: kinds[kind],
        amount,
        transactionHash,
        ledger,
        names: [checkoutId, paymentId].filter((each) => each !== null),
        follows:
          checkoutId === null
            ? []
            : [{ stream: stream.checkout(checkoutId), types: ['CreditSetAside', 'CheckoutSettled', 'CheckoutFailed'] }],
        root: 'ledger',
      }
    }
    case 'ExceptionLeftToPerson':
      return { what: 'A person has to decide', why: inWords(event.data.reason), follows: [own('ExceptionOpened')] }
    case 'ReturnStarted': {
      const { destination, sendsAt, note } = event.data
      return {
        what: `It goes back to ${short(destination)}${sendsAt === undefined ? '' : `; it waits until ${moment(sendsAt)}`}`,
        why: note,
        amount,
        names: [event.data.returnId],
        alsoIn: ofReturn(event.data.returnId),
        follows: [own('ExceptionOpened')],
      }
    }
    case 'ReturnPostponed':
      return {
        what: `The wait began again, until ${moment(event.data.sendsAt)}`,
        why: 'the log was restored from a backup meanwhile',
      }
    case 'ReturnWaitEnded':
      return {
        what: 'The wait is over; it cannot be canceled any more',
        alsoIn: ofReturn(event.data.returnId),
        follows: [own('ReturnStarted')],
        root: 'clock',
      }
    case 'ReturnFailed':
      return {
        what: 'The return failed; nothing was paid',
        why: `${inWords(event.data.reason)} (${event.data.code})`,
        names: [event.data.returnId],
        follows: [intentEnds(event.data.returnId)],
      }
    case 'ExceptionReturned':
      return {
        what: 'It went back',
        why: 'a closed ledger holds it',
        amount,
        transactionHash: event.data.transactionHash,
        ledger: event.data.ledger,
        follows: [intentEnds(event.data.returnId)],
        root: 'ledger',
      }
    case 'ApplicationStarted':
      return {
        what: 'It is to count for a checkout',
        why: event.data.note,
        names: [event.data.checkoutId, event.data.paymentId],
      }
    case 'HoldReleased':
      return { what: 'The operator leaves it to the merchant', why: event.data.note }
    case 'HoldKept':
      return { what: 'The operator keeps it held', why: event.data.note }
    case 'ExceptionResolved':
      return {
        what: `Resolved: ${resolutions[event.data.action]}`,
        why: event.data.note,
        follows: [own('ExceptionReturned', 'ApplicationStarted')],
      }
  }
}

export const exceptionTeller = tellerOf(Exception, words, namedStatus)
