import { formatAmount, Payout, PayoutBook, PayoutDestination } from '@quittance/domain'
import { assetOfBook } from '../../../kernel/payout-book.ts'
import { namedStatus, type Origin, type Told, tellerOf } from '../told.ts'
import { inWords, moment, short } from '../words.ts'
import { notPaidOut, paidOut } from './outgoing.ts'
import { stream } from './streams.ts'

export const payoutTeller = tellerOf(
  Payout,
  (event, state, id): Told => {
    const amount = state.status === 'absent' ? null : { stroops: state.details.amount, assetId: state.details.assetId }
    const own = (...types: ReadonlyArray<string>): Origin => ({ stream: stream.payout(id), types })
    switch (event.type) {
      case 'PayoutRequested': {
        const { target, dueAt, purpose, assetId } = event.data
        return {
          what: `Payout of ${formatAmount(event.data.amount, assetId)} requested, to ${short(target.address)}`,
          why:
            purpose === undefined
              ? dueAt === undefined
                ? null
                : `the schedule was due ${moment(dueAt)}`
              : "the operator's fees",
          amount,
          names: [target.destinationId],
          follows: [],
          root: 'clock',
        }
      }
      case 'PayoutCanceled':
        return { what: 'Payout canceled: it was not sent, and cannot be any more', amount }
      case 'PayoutSucceeded':
        return paidOut('Payout paid', id, amount, event.data)
      case 'PayoutFailed':
        return notPaidOut('Payout', id, amount, event.data, own('PayoutRequested'))
    }
  },
  namedStatus,
)

export const payoutBookTeller = tellerOf(
  PayoutBook,
  (event, _, id): Told => {
    const assetId = assetOfBook(id)
    switch (event.type) {
      case 'PayoutClaimed':
        return {
          what: `${formatAmount(event.data.details.amount, assetId)} set aside for a payout`,
          amount: { stroops: event.data.details.amount, assetId },
          names: [event.data.payoutId],
          root: 'clock',
        }
      case 'PayoutClaimEnded':
        return {
          what: event.data.paidIn === null ? 'What was set aside is available again' : 'What was set aside is paid out',
          names: [event.data.payoutId],
          ledger: event.data.paidIn,
          follows: [
            {
              stream: stream.payout(event.data.payoutId),
              types: ['PayoutSucceeded', 'PayoutFailed', 'PayoutCanceled'],
            },
          ],
        }
      case 'PayoutScheduleSet':
        return {
          what: `Scheduled payouts set: ${inWords(event.data.schedule.interval.type)}`,
          names: [event.data.schedule.destinationId],
        }
      case 'PayoutScheduleRemoved':
        return { what: 'Scheduled payouts ended' }
      case 'PayoutSkipped':
        return {
          what: `The scheduled payout of ${moment(event.data.dueAt)} was skipped`,
          why: inWords(event.data.reason),
          root: 'clock',
        }
    }
  },
  () => null,
)

export const payoutDestinationTeller = tellerOf(
  PayoutDestination,
  (event): Told => {
    switch (event.type) {
      case 'PayoutDestinationRegistered':
        return {
          what: `Destination ${short(event.data.address)} registered; usable from ${moment(event.data.usableFrom)} on`,
          why: 'or sooner, once its owner proves it',
        }
      case 'PayoutDestinationProven':
        return { what: 'Destination proven', why: 'its owner has signed a challenge' }
      case 'PayoutDestinationRemoved':
        return { what: 'Destination removed' }
    }
  },
  namedStatus,
)
