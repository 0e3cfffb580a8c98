import { isPositive, localAmount } from './amounts.ts'
import { fieldsOf, textIn } from './fields.ts'
import type { ScriptMessages } from './messages/en.ts'

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

/** The day on which something ends. */
const dayOf = ({ dates }: ScriptMessages, timestamp: string): string =>
  new Intl.DateTimeFormat(dates, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(timestamp))

/** Describes the mandate: the payment now, then the most for each interval, and the end. */
export const mandateLines = (
  words: ScriptMessages,
  mandate: Mandate,
): Readonly<Record<'now' | 'later' | 'end', string>> => {
  const { firstAmount, owed, cap, assetCode, trialDays, trialEndsAt, interval, intervalCount } = mandate
  const says = words.mandate
  const amount = (decimal: string): string => `${localAmount(words.decimalSign, decimal)} ${assetCode}`
  // The shortest time between two payments, which the contract keeps: a day, or half of a shorter interval.
  const distance = interval === 'day' && intervalCount === 1 ? says.halfDay : says.day
  const first = isPositive(firstAmount) ? says.first(amount(firstAmount)) : says.nothing
  const atOnce = isPositive(owed) ? says.owed(amount(owed)) : first
  const later = trialEndsAt === null ? says.fromNow : says.afterTrial
  return {
    now: trialEndsAt === null ? atOnce : says.trial(trialDays, dayOf(words, trialEndsAt)),
    later: later(words.every(interval, intervalCount), amount(cap), distance),
    end: mandate.replaces === null ? says.end : `${says.replaces} ${says.end}`,
  }
}

/** The notice when the wallet that signs changes the mandate that was shown. */
export const changeNote = (words: ScriptMessages, shown: Mandate, actual: Mandate): string =>
  shown.trialDays > 0 && actual.trialDays === 0 ? words.mandate.trialUsed : words.mandate.changed

/** Whether two mandates mean the same to the signer; a trial may end a moment later. */
export const isSameMandate = (one: Mandate, other: Mandate): boolean =>
  one.trialDays === other.trialDays && one.firstAmount === other.firstAmount && one.cap === other.cap
