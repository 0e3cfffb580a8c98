import { isPositive } from './amounts.ts'
import { fieldsOf, textIn } from './fields.ts'

const intervals = ['day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]

/**
 * What one signature allows: `firstAmount` now, or what is `owed`, then at most `cap` for each interval. Amounts are
 * decimals in units of the asset; `trialEndsAt` is ISO 8601, null without a trial; `replaces` is the mandate that ends.
 */
export type Mandate = {
  readonly contractId: string
  readonly assetCode: string
  readonly firstAmount: string
  readonly owed: string
  readonly cap: string
  readonly interval: Interval
  readonly intervalCount: number
  readonly trialDays: number
  readonly trialEndsAt: string | null
  readonly replaces: string | null
}

/** Null for invalid values. */
export const readMandate = (value: unknown): Mandate | null => {
  const fields = fieldsOf(value)
  const interval = intervals.find((each) => each === fields.interval)
  const [contractId, assetCode] = [textIn(fields, 'contract_id'), textIn(fields, 'asset_code')]
  const [firstAmount, cap] = [textIn(fields, 'first_amount'), textIn(fields, 'cap')]
  const { interval_count: intervalCount, trial_days: trialDays } = fields
  if (interval === undefined || contractId === null || assetCode === null) return null
  if (firstAmount === null || cap === null) return null
  if (typeof intervalCount !== 'number' || typeof trialDays !== 'number') return null
  const trialEndsAt = textIn(fields, 'trial_ends_at')
  const [owed, replaces] = [textIn(fields, 'owed') ?? '0', textIn(fields, 'replaces')]
  return { contractId, assetCode, firstAmount, owed, cap, interval, intervalCount, trialDays, trialEndsAt, replaces }
}

/** `month` or `3 months`: the words after "every". */
export const everyInterval = ({ interval, intervalCount }: Pick<Mandate, 'interval' | 'intervalCount'>): string =>
  intervalCount === 1 ? interval : `${intervalCount} ${interval}s`

/** The shortest time between two payments, which the contract keeps: a day, or half of a shorter interval. */
const distance = ({ interval, intervalCount }: Pick<Mandate, 'interval' | 'intervalCount'>): string =>
  interval === 'day' && intervalCount === 1 ? '12 hours' : 'a day'

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Describes the mandate: the payment now, then the most for each interval, and the end. */
export const mandateLines = (mandate: Mandate): Readonly<Record<'now' | 'later' | 'end', string>> => {
  const { firstAmount, owed, cap, assetCode, trialDays, trialEndsAt } = mandate
  const days = trialDays === 1 ? 'day is' : `${trialDays} days are`
  const limit = `each at the price of its day, never more than ${cap} ${assetCode}, and no sooner than ${distance(mandate)} after the one before`
  const atOnce = isPositive(owed)
    ? `What you owe, ${owed} ${assetCode}, is collected as soon as you have signed.`
    : `You pay ${isPositive(firstAmount) ? `${firstAmount} ${assetCode}` : 'nothing'} now.`
  return {
    now:
      trialEndsAt === null
        ? atOnce
        : `You pay nothing now. The first ${days} free, until ${day.format(Date.parse(trialEndsAt))}.`,
    later: `${trialEndsAt === null ? 'Then' : 'From then on'} one payment is collected every ${everyInterval(mandate)}: ${limit}.`,
    end: `${mandate.replaces === null ? '' : 'It replaces what you have signed before. '}This goes on until it is ended. You can end it at any time, with the seller or from your wallet.`,
  }
}

/** The notice when the wallet that signs changes the mandate that was shown. */
export const changeNote = (shown: Mandate, actual: Mandate): string =>
  shown.trialDays > 0 && actual.trialDays === 0
    ? 'This wallet, or its owner, has had the trial of this product: the first payment is due now, as it says above.'
    : 'It has changed, as it says above.'

/** Whether two mandates mean the same to the signer; a trial may end a moment later. */
export const isSameMandate = (one: Mandate, other: Mandate): boolean =>
  one.trialDays === other.trialDays && one.firstAmount === other.firstAmount && one.cap === other.cap
