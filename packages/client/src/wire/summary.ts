import * as t from 'io-ts'
import { orNull, says } from './codecs.ts'
import { decimal, environment, objectOf, priceCurrency } from './fields.ts'
import { count, such, timestamp } from './values.ts'

const day = such(t.string, (input) => /^\d{4}-\d\d-\d\d$/.test(input), 'a day such as 2026-11-20', {
  type: 'string',
  format: 'date',
  examples: ['2026-11-20'],
})

const share = such(t.number, (input) => input >= 0 && input <= 1, 'a number from 0 to 1', {
  type: 'number',
  minimum: 0,
  maximum: 1,
})

const SalesOfDay = t.type(
  {
    date: says('The day, in UTC.', day),
    amount: says('The prices of its confirmed payments.', decimal),
    payments: says('How many these are.', count),
  },
  'SalesOfDay',
)

const Sales = t.type(
  {
    currency_code: priceCurrency,
    is_asset: says('Whether the prices were stated in an asset instead of a currency.', t.boolean),
    amount: says('All of the time, before refunds.', decimal),
    payments: says('How many confirmed payments these are.', count),
    days: says('Each day of the time, the oldest first.', t.readonlyArray(SalesOfDay)),
  },
  'Sales',
)

/** How the business goes: sales of the last 30 days, and subscriptions as they are. */
export const Summary = t.type(
  {
    object: objectOf('summary'),
    environment,
    from: says('The beginning of the first day that is counted.', timestamp),
    to: says('Until when is counted.', timestamp),
    revenue: says(
      'Confirmed payments that were made in this time, by what prices were stated in.',
      t.readonlyArray(Sales),
    ),
    subscriptions: says(
      'Subscriptions that have not ended, by status.',
      t.type(
        {
          trialing: says('In a trial.', count),
          active: says('Paid for.', count),
          past_due: says('A charge has failed, and is tried again.', count),
          overdue: says('Invoiced, since charges have failed.', count),
          paused: says('Paused.', count),
        },
        'SubscriptionCounts',
      ),
    ),
    monthly_recurring: says(
      'What `active` and `past_due` subscriptions bring in a month on average, by currency.',
      t.readonlyArray(
        t.type({ currency_code: priceCurrency, amount: says('In base units.', decimal) }, 'MonthlyRecurring'),
      ),
    ),
    canceled: says('Subscriptions that ended in this time.', count),
    churn: says('`canceled` as a share of those and of all that have not ended; null without any.', orNull(share)),
    renewals: says(
      'Charges of this time.',
      t.type(
        {
          renewed: says('How many renewed a subscription.', count),
          failed: says('How many subscriptions became `past_due`.', count),
          recovered: says('How many of `past_due` or `overdue` became active again.', count),
        },
        'Renewals',
      ),
    ),
    exceptions_open: says('Exceptions that wait for a decision; 100 stands for more, too.', count),
    is_complete: says('Whether everything was counted. The newest 10,000 records of each kind are.', t.boolean),
  },
  'Summary',
)
export type Summary = t.TypeOf<typeof Summary>
