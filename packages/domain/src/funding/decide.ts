import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import type { AnnounceFunding, BookOwnMovement, FundingCommand, ReceiveFunding } from './commands.ts'
import type { Announcement, FundingEvent, ReceivedFunding } from './events.ts'
import type { FundingRejection } from './rejections.ts'
import type { FundingState } from './state.ts'

type Decision = E.Either<FundingRejection, ReadonlyArray<FundingEvent>>

/** Whether a payment is what was announced, and came in time. */
export const isAsAnnounced = (
  { from, assetId, amount, expiresAt }: Announcement,
  received: Pick<ReceivedFunding, 'from' | 'assetId' | 'amount' | 'closedAt'>,
): boolean =>
  (from === null || from === received.from) &&
  (assetId === null || assetId === received.assetId) &&
  (amount === null || amount === received.amount) &&
  received.closedAt <= expiresAt

/** Without a sender and an exact amount it would take the first payment of any stranger's. */
const isVague = ({ from, assetId, amount }: Announcement): boolean =>
  from === null && (assetId === null || amount === null)

const announce = ({ type: _, ...announcement }: AnnounceFunding, state: FundingState): Decision => {
  if (state.status === 'absent') {
    return isVague(announcement)
      ? E.left({ _tag: 'AnnouncementTooVague' })
      : E.right([{ type: 'FundingAnnounced', data: announcement }])
  }
  if (state.status === 'moved') return E.left({ _tag: 'FundingIsMovement' })
  return isSame(state.announcement, announcement) ? nothing : E.left({ _tag: 'FundingAlreadyAnnounced' })
}

const receive = ({ type: _, ...received }: ReceiveFunding, state: FundingState): Decision => {
  const accepted: Decision = E.right([{ type: 'FundingReceived', data: received }])
  switch (state.status) {
    case 'absent':
      return received.reason === 'announced' ? E.left({ _tag: 'FundingNotAnnounced' }) : accepted
    case 'announced':
      return received.reason === 'announced' && isAsAnnounced(state.announcement, received)
        ? accepted
        : E.left({ _tag: 'FundingUnlikeAnnouncement' })
    case 'moved':
      return E.left({ _tag: 'FundingIsMovement' })
    case 'received':
      return isSame(state.received, received)
        ? nothing
        : E.left({ _tag: 'FundingAlreadyReceived', received: state.received })
  }
}

const book = ({ type: _, ...movement }: BookOwnMovement, state: FundingState): Decision => {
  if (state.status === 'absent') return E.right([{ type: 'OwnMovementBooked', data: movement }])
  return state.status === 'moved' && isSame(state.movement, movement)
    ? nothing
    : E.left({ _tag: 'FundingIsNoMovement' })
}

export const decide =
  (command: FundingCommand) =>
  (state: FundingState): Decision => {
    switch (command.type) {
      case 'AnnounceFunding':
        return announce(command, state)
      case 'ReceiveFunding':
        return receive(command, state)
      case 'BookOwnMovement':
        return book(command, state)
    }
  }
