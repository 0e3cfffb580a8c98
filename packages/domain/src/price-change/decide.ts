import * as E from 'fp-ts/lib/Either.js'
import { nothing } from '../shared/decider.ts'
import { isSame } from '../shared/equality.ts'
import { dayMs, type UnixMs, unixMs } from '../shared/units.ts'
import type { CancelPriceChange, PriceChangeCommand, RecordNotices, SchedulePriceChange } from './commands.ts'
import type { PriceChangeEvent } from './events.ts'
import type { PriceChangeRejection } from './rejections.ts'
import type { PriceChangeRecord, PriceChangeState } from './state.ts'

type Decision = E.Either<PriceChangeRejection, ReadonlyArray<PriceChangeEvent>>

/** When a new price may count that subscribers hear of now. */
export const afterNotice = (noticedAt: UnixMs): UnixMs => unixMs(noticedAt + 30 * dayMs)

const schedule = ({ details }: SchedulePriceChange, state: PriceChangeState): Decision => {
  if (state.status !== 'absent') {
    return isSame(state.details, details) ? nothing : E.left({ _tag: 'PriceChangeAlreadyExists' })
  }
  if (details.price.cents === 0n) return E.left({ _tag: 'PriceNotPositive' })
  const earliest = afterNotice(details.scheduledAt)
  if (details.effectiveAt < earliest) return E.left({ _tag: 'NoticeTooShort', earliest })
  return E.right([{ type: 'PriceChangeScheduled', data: details }])
}

const recordNotices = ({ subscriptions, at }: RecordNotices, { status, noticed }: PriceChangeRecord): Decision =>
  status === 'scheduled' && noticed === null
    ? E.right([{ type: 'PriceChangeNoticed', data: { subscriptions, at } }])
    : nothing

const cancel = ({ type: _, ...data }: CancelPriceChange, { status }: PriceChangeRecord): Decision =>
  status === 'scheduled' ? E.right([{ type: 'PriceChangeCanceled', data }]) : nothing

export const decide =
  (command: PriceChangeCommand) =>
  (state: PriceChangeState): Decision => {
    if (command.type === 'SchedulePriceChange') return schedule(command, state)
    if (state.status === 'absent') return E.left({ _tag: 'PriceChangeNotFound' })
    switch (command.type) {
      case 'RecordNotices':
        return recordNotices(command, state)
      case 'CancelPriceChange':
        return cancel(command, state)
      case 'RecordWithdrawal':
        return state.status === 'withdrawing'
          ? E.right([{ type: 'PriceChangeWithdrawn', data: { at: command.at } }])
          : nothing
    }
  }
