import { Refund, type RefundEvent, type RefundState } from '@quittance/domain'
import { namedStatus, type Origin, type Told, tellerOf } from '../told.ts'
import { inAsset, moment, short } from '../words.ts'
import { notPaidOut, paidOut } from './outgoing.ts'
import { stream } from './streams.ts'

const words = (event: RefundEvent, state: RefundState, id: string): Told => {
  const details = state.status === 'absent' ? null : state.details
  const amount = details === null ? null : { stroops: details.amount, assetId: details.assetId }
  const shown = amount === null ? 'Refund' : `Refund of ${inAsset(amount.stroops, amount.assetId)}`
  const own = (...types: ReadonlyArray<RefundEvent['type']>): Origin => ({ stream: stream.refund(id), types })
  switch (event.type) {
    case 'RefundRequested': {
      const { paymentId, customerId, destination, reason, sendsAt } = event.data
      return {
        what: `${shown} requested, to ${short(destination)}${sendsAt === undefined ? '' : `; it waits until ${moment(sendsAt)}`}`,
        why: reason ?? (sendsAt === undefined ? null : 'nothing shows whose that address is'),
        amount,
        names: customerId === null ? [paymentId] : [paymentId, customerId],
        follows: [{ stream: stream.payment(paymentId), types: ['RefundClaimed'] }],
      }
    }
    case 'RefundPostponed':
      return {
        what: `The wait began again, until ${moment(event.data.sendsAt)}`,
        why: 'the log was restored from a backup meanwhile',
        follows: [own('RefundRequested')],
      }
    case 'RefundWaitEnded':
      return {
        what: 'The wait is over; it cannot be canceled any more',
        follows: [own('RefundRequested')],
        root: 'clock',
      }
    case 'RefundSucceeded':
      return paidOut(`${shown} paid`, id, amount, event.data)
    case 'RefundFailed':
      return notPaidOut(shown, id, amount, event.data, own('RefundRequested'))
  }
}

export const refundTeller = tellerOf(Refund, words, namedStatus)
