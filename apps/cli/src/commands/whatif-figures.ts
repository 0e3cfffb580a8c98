import type { WhatIfReport } from '@quittance/billing'
import { dayMs } from '@quittance/domain'
import { decimal } from '../printing.ts'

type Figures = WhatIfReport['recorded']
type Row = readonly [name: string, of: (figures: Figures) => bigint, digits: number]

const counts: ReadonlyArray<Row> = [
  ['charges tried', ({ attempts }) => BigInt(attempts), 0],
  ['charges paid', ({ paid }) => BigInt(paid), 0],
  ['debts recovered', ({ recovered }) => BigInt(recovered), 0],
  ['became overdue', ({ overdue }) => BigInt(overdue), 0],
  ['paused', ({ pauses }) => BigInt(pauses), 0],
  ['canceled as unpaid', ({ involuntary }) => BigInt(involuntary), 0],
  ['canceled by customers', ({ voluntary }) => BigInt(voluntary), 0],
  ['canceled otherwise', ({ otherEnds }) => BigInt(otherEnds), 0],
  ['days of access', ({ accessMs }) => tenthDays(accessMs), 1],
]

const tenthDays = (ms: number): bigint => BigInt(Math.round((ms * 10) / dayMs))

/** The figures side by side: recorded, under the other policy, the difference, and the control. */
export const figuresRows = ({ recorded, changed, control }: WhatIfReport): ReadonlyArray<ReadonlyArray<string>> => {
  const currencies = [...new Set([recorded, changed, control].flatMap(({ revenue }) => [...revenue.keys()]))].sort()
  const revenues = currencies.map(
    (currency): Row => [`revenue, ${currency}`, ({ revenue }) => revenue.get(currency) ?? 0n, 2],
  )
  return [...revenues, ...counts].map(([name, of, digits]) => {
    const difference = of(changed) - of(recorded)
    const shown = decimal(difference, digits)
    return [
      name,
      decimal(of(recorded), digits),
      decimal(of(changed), digits),
      difference > 0n ? `+${shown}` : shown,
      decimal(of(control), digits),
    ]
  })
}

const revenueJson = (revenue: Figures['revenue']) =>
  Object.fromEntries([...revenue].map(([currency, cents]) => [currency, decimal(cents, 2)]))

export const figuresJson = ({ revenue, monthly, accessMs, ...figures }: Figures) => ({
  revenue: revenueJson(revenue),
  revenue_by_month: Object.fromEntries(
    [...monthly].sort(([one], [other]) => (one < other ? -1 : 1)).map(([month, each]) => [month, revenueJson(each)]),
  ),
  attempts: figures.attempts,
  paid: figures.paid,
  recovered: figures.recovered,
  overdue: figures.overdue,
  paused: figures.pauses,
  canceled_unpaid: figures.involuntary,
  canceled_by_customers: figures.voluntary,
  canceled_otherwise: figures.otherEnds,
  access_days: decimal(tenthDays(accessMs), 1),
})
