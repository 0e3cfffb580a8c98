import type { WhatIfReport } from '@quittance/billing'
import { CurrencyCode, unixMs } from '@quittance/domain'
import { whatifPage } from './whatif-page.ts'

const reportOf = (
  recorded: ReadonlyArray<[string, bigint]>,
  changed: ReadonlyArray<[string, bigint]>,
): WhatIfReport => {
  const currency = 'EUR'
  if (!CurrencyCode.is(currency)) throw new Error('EUR is a currency')
  const figuresOf = (months: ReadonlyArray<[string, bigint]>): WhatIfReport['recorded'] => ({
    ...{ attempts: 0, paid: 0, recovered: 0, overdue: 0, pauses: 0, accessMs: 0 },
    ...{ involuntary: 0, voluntary: 0, otherEnds: 0 },
    revenue: new Map([[currency, months.reduce((sum, [, cents]) => sum + cents, 0n)]]),
    monthly: new Map(months.map(([month, cents]) => [month, new Map([[currency, cents]])])),
  })
  return {
    ...{ from: unixMs(Date.UTC(2027, 0, 15)), to: unixMs(Date.UTC(2027, 2, 1)) },
    ...{ subscriptions: 1, reproduced: 1, otherwise: 1, ends: 0, assumed: 0, without: 0, leftOut: [] },
    ...{ recorded: figuresOf(recorded), changed: figuresOf(changed), control: figuresOf(recorded) },
  }
}

const texts = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<(?:text|title)[^>]*>([^<]*)</g)].map(([, text = '']) => text)

describe('the page of what if', () => {
  const report = reportOf(
    [
      ['2027-01', 1000n],
      ['2027-02', 2000n],
    ],
    [
      ['2027-01', 1000n],
      ['2027-02', 1250n],
    ],
  )

  it('draws both courses by month, with the differences', () =>
    expect(texts(whatifPage(report, 'policy.json', [], [['']]))).toEqual([
      'What if: policy.json',
      ...['0', '10', '20'],
      ...['2027-01 recorded: 10 EUR', '2027-01 what if: 10 EUR', '2027-01'],
      ...['2027-02 recorded: 20 EUR', '2027-02 what if: 12.5 EUR', '2027-02', '-7.5'],
    ]))

  it('says what there is to know, escaped, and loads nothing', () => {
    const page = whatifPage(
      report,
      '<policy>',
      ['1 < 2'],
      [
        ['', 'RECORDED'],
        ['charges tried', '1'],
      ],
    )
    expect(page).toContain('<h1>What if: &lt;policy&gt;</h1>')
    expect(page).toContain('<p>1 &lt; 2</p>')
    expect(page).toContain('<tr><td>charges tried</td><td>1</td></tr>')
    expect(page).not.toMatch(/src=|href=|@import|url\(|<script/)
  })
})
