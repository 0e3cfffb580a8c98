import { count, unixMs } from '../shared/units.ts'
import { examplePriceChange as details } from '../testing/any-price-change.ts'
import { scenario } from '../testing/scenario.ts'
import { PriceChange, type PriceChangeCommand, type PriceChangeEvent } from './index.ts'

const { given } = scenario(PriceChange.decider)
const at = unixMs(details.scheduledAt + 1)
const schedule: PriceChangeCommand = { type: 'SchedulePriceChange', details }
const scheduled: PriceChangeEvent = { type: 'PriceChangeScheduled', data: details }
const noticed: PriceChangeEvent = { type: 'PriceChangeNoticed', data: { subscriptions: count(3), at } }
const canceled: PriceChangeEvent = { type: 'PriceChangeCanceled', data: { at } }
const withdrawn: PriceChangeEvent = { type: 'PriceChangeWithdrawn', data: { at } }

describe('a price change', () => {
  it('is scheduled thirty days ahead to the millisecond', () => given([]).when(schedule).then([scheduled]))
  it('is rejected a millisecond short of thirty days', () =>
    given([])
      .when({ ...schedule, details: { ...details, effectiveAt: unixMs(details.effectiveAt - 1) } })
      .rejects({ _tag: 'NoticeTooShort', earliest: details.effectiveAt }))
  it('is scheduled once, and never as another one under the same id', () => {
    given([scheduled]).when(schedule).then([])
    given([scheduled])
      .when({ ...schedule, details: { ...details, withoutConsent: 'cancel' } })
      .rejects({ _tag: 'PriceChangeAlreadyExists' })
  })
  it('records once that every subscription has heard of it, and not after it was canceled', () => {
    const record: PriceChangeCommand = { type: 'RecordNotices', subscriptions: count(3), at }
    given([scheduled]).when(record).then([noticed])
    given([scheduled, noticed]).when(record).then([])
    given([scheduled, canceled]).when(record).then([])
  })
  it('is canceled before or after the notices, once, and then withdrawn from those that wait', () => {
    const cancel: PriceChangeCommand = { type: 'CancelPriceChange', at }
    given([scheduled]).when(cancel).then([canceled])
    given([scheduled, noticed]).when(cancel).then([canceled])
    given([scheduled, canceled]).when(cancel).then([])
    given([scheduled]).when({ type: 'RecordWithdrawal', at }).then([])
    given([scheduled, canceled]).when({ type: 'RecordWithdrawal', at }).then([withdrawn])
    given([scheduled, canceled, withdrawn]).when({ type: 'RecordWithdrawal', at }).then([])
  })
  it.each<PriceChangeCommand>([
    { type: 'CancelPriceChange', at },
    { type: 'RecordNotices', subscriptions: count(0), at },
    { type: 'RecordWithdrawal', at },
  ])('rejects $type without one', (command) => given([]).when(command).rejects({ _tag: 'PriceChangeNotFound' }))
})
