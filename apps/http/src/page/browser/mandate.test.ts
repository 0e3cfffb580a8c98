import { subscriptionPage } from '../testing/pages.ts'
import { changeNote, isSameMandate, type Mandate, mandateLines, readMandate } from './mandate.ts'
import { en } from './messages/en.ts'

const told = subscriptionPage.quote?.mandate
const trial: Mandate = {
  contractId: 'CBDKCGZIXR4GTJKGC2RTNY4XRJ3SHHE2VZV7344JNTKM2ZXLUBXZ2AI4',
  assetCode: 'USDC',
  firstAmount: '0',
  owed: '0',
  cap: '13.75',
  interval: 'month',
  intervalCount: 1,
  trialDays: 14,
  trialEndsAt: '2026-12-04T10:00:00.000Z',
  replaces: null,
}
const atOnce: Mandate = { ...trial, firstAmount: '12.5', trialDays: 0, trialEndsAt: null }
const end = 'This goes on until it is ended. You can end it at any time, with the seller or from your wallet.'

describe('a mandate in plain words', () => {
  it('describes a mandate: the payment now, the most later, how often, and until when', () =>
    expect(mandateLines(en, atOnce)).toEqual({
      now: 'You pay 12.5 USDC now.',
      later:
        'Then one payment is collected every month: each at the price of its day, never more than 13.75 USDC, and no sooner than a day after the one before.',
      end,
    }))
  it('tells that the debt is charged at once, although the mandate itself pays nothing', () =>
    expect(mandateLines(en, { ...atOnce, firstAmount: '0', owed: '20' }).now).toBe(
      'What you owe, 20 USDC, is collected as soon as you have signed.',
    ))
  it('tells that nothing is paid before the end of a trial, and its date', () =>
    expect(mandateLines(en, trial)).toEqual({
      now: 'You pay nothing now. The first 14 days are free, until 4 December 2026.',
      later:
        'From then on one payment is collected every month: each at the price of its day, never more than 13.75 USDC, and no sooner than a day after the one before.',
      end,
    }))
  it.each([
    ['day', 1, '12 hours'],
    ['day', 2, 'a day'],
    ['year', 1, 'a day'],
  ] as const)('names the least time between two payments: every %s × %d, %s', (interval, intervalCount, least) =>
    expect(mandateLines(en, { ...trial, interval, intervalCount }).later).toContain(`no sooner than ${least} after`),
  )
  it('tells that it replaces what was signed before', () =>
    expect(mandateLines(en, { ...trial, replaces: '07'.repeat(32) }).end).toBe(
      `It replaces what you have signed before. ${end}`,
    ))
  it('describes intervals in correct plurals', () => {
    expect(mandateLines(en, { ...trial, trialDays: 1 }).now).toContain('The first day is free,')
    expect(en.every('week', 3)).toBe('every 3 weeks')
  })
})

describe('a mandate from the service', () => {
  it('reads a mandate from the service', () => expect(readMandate(told)).toEqual(trial))
  it.each(['contract_id', 'asset_code', 'first_amount', 'cap', 'interval', 'interval_count', 'trial_days'])(
    'rejects a mandate without %s',
    (field) => expect(readMandate({ ...told, [field]: undefined })).toBeNull(),
  )
  it('treats mandates with the same terms as equal', () => {
    expect(isSameMandate(trial, { ...trial, trialEndsAt: '2026-12-04T10:00:07.000Z' })).toBe(true)
    expect(isSameMandate(trial, atOnce)).toBe(false)
    expect(isSameMandate(trial, { ...trial, cap: '13.76' })).toBe(false)
  })
  it('tells what changes for a wallet that has had its trial', () => {
    expect(changeNote(en, trial, atOnce)).toContain('has had the trial of this product: the first payment is due now')
    expect(changeNote(en, trial, { ...trial, cap: '13.76' })).toBe('It has changed, as it says above.')
  })
})
