import type { WhatIfReport } from '@quittance/billing'
import { escaped } from '../explain/escaped.ts'
import { decimal, grouped } from '../printing.ts'

type Currency = Parameters<WhatIfReport['recorded']['revenue']['get']>[0]

const [width, height, left, right, top, bottom] = [960, 240, 70, 10, 34, 26]
const base = height - bottom
const tall = base - top
/** More months than these are named by their years alone. */
const mostNames = 24

const round = (place: number): string => place.toFixed(1)

/** The months that a range touches, such as 2027-03. */
const monthsOf = ({ from, to }: Pick<WhatIfReport, 'from' | 'to'>): ReadonlyArray<string> => {
  const months: Array<string> = []
  const month = new Date(from)
  month.setUTCDate(1)
  month.setUTCHours(0, 0, 0, 0)
  for (; month.getTime() < to; month.setUTCMonth(month.getUTCMonth() + 1)) months.push(month.toISOString().slice(0, 7))
  return months
}

/** The revenue in a currency by month: what is recorded beside the replay, with the difference above. */
export const drawing = (report: WhatIfReport, currency: Currency): string => {
  const months = monthsOf(report)
  const of = (side: 'recorded' | 'changed', month: string): bigint =>
    report[side].monthly.get(month)?.get(currency) ?? 0n
  const most = months.reduce(
    (found, month) => Math.max(found, Number(of('recorded', month)), Number(of('changed', month))),
    1,
  )
  const step = (width - left - right) / months.length
  const bar = Math.min(28, step * 0.38)
  const y = (cents: bigint): number => base - (Number(cents) / most) * tall
  const columns = months.map((month, place) => {
    const middle = left + (place + 0.5) * step
    const [before, after] = [of('recorded', month), of('changed', month)]
    const drawn = (cents: bigint, x: number, name: string, says: string): string =>
      `<rect class="${name}" x="${round(x)}" y="${round(y(cents))}" width="${round(bar)}" height="${round(base - y(cents))}"><title>${month} ${says}: ${decimal(cents, 2)} ${escaped(currency)}</title></rect>`
    const isNamed = months.length <= mostNames || month.endsWith('-01')
    const name = months.length <= mostNames ? month : month.slice(0, 4)
    const label = isNamed ? `<text class="month" x="${round(middle)}" y="${base + 16}">${name}</text>` : ''
    const top = Math.min(y(before), y(after)) - 6
    return `${drawn(before, middle - bar - 1, 'recorded', 'recorded')}${drawn(after, middle + 1, 'changed', 'what if')}${label}${
      months.length > mostNames ? '' : difference(after - before, middle, top)
    }`
  })
  const lines = [0, 0.5, 1].map((part) => {
    const cents = BigInt(Math.round(most * part))
    const at = round(y(cents))
    return `<line x1="${left}" x2="${width - right}" y1="${at}" y2="${at}"/><text class="name" x="${left - 8}" y="${round(y(cents) + 4)}">${grouped(Math.round(Number(cents) / 100))}</text>`
  })
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Revenue by month in ${escaped(currency)}, recorded and replayed">${lines.join('')}${columns.join('')}</svg>`
}

const difference = (cents: bigint, x: number, y: number): string => {
  if (cents === 0n) return ''
  const tone = cents > 0n ? 'good' : 'bad'
  return `<text class="month ${tone}" x="${round(x)}" y="${round(y)}">${cents > 0n ? '+' : ''}${decimal(cents, 2)}</text>`
}
