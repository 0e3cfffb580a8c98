import { AssetId, CurrencyCode, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { asset, fiat, type JournalEntry, transfer } from './entry.ts'
import { type JournalFormat, journalFormats } from './formats.ts'

const native = asset(decoded(AssetId, 'native'))
const dollars = fiat(decoded(CurrencyCode, 'USD'))
const sale: JournalEntry = {
  kind: 'payment_confirmed',
  at: unixMs(Date.UTC(2026, 10, 23, 9, 12, 31)),
  subject: 'pay_1',
  transactionHash: 'ab12',
  ledger: null,
  merchantId: 'mer_1',
  event: { id: 'e1', type: 'PaymentConfirmed', stream: 'payment-pay_1', revision: 2n, position: 7n },
  postings: [
    ...transfer('incoming', 'conversion', native, 400_000_001n),
    ...transfer('conversion', 'sales', dollars, 1_005n),
  ],
}
const whole = ({ head, entry, between, end }: JournalFormat, ...entries: ReadonlyArray<JournalEntry>) =>
  `${head}${entries.map(entry).join(between)}${end}`

describe('the formats of the journal', () => {
  it('write what hledger and Ledger read', () => {
    expect(whole(journalFormats.ledger, sale)).toBe(`2026-11-23 * payment confirmed pay_1
    ; time: 2026-11-23T09:12:31.000Z
    ; event: e1 PaymentConfirmed payment-pay_1@2
    ; transaction: ab12
    Liabilities:Incoming payments  40.0000001 "XLM"
    Equity:Conversion  -40.0000001 "XLM"
    Equity:Conversion  10.05 "USD"
    Income:Sales  -10.05 "USD"
`)
  })

  it('write a line of comma-separated values for each posting', () => {
    const entry = '2026-11-23T09:12:31.000Z,mer_1,payment_confirmed,pay_1,ab12,e1,PaymentConfirmed,payment-pay_1,2'
    expect(whole(journalFormats.csv, sale).split('\r\n')).toEqual([
      'at,merchant_id,kind,subject,transaction_hash,event_id,event,stream,revision,account,amount,commodity',
      `${entry},Liabilities:Incoming payments,40.0000001,XLM`,
      `${entry},Equity:Conversion,-40.0000001,XLM`,
      `${entry},Equity:Conversion,10.05,USD`,
      `${entry},Income:Sales,-10.05,USD`,
      '',
    ])
  })

  it('write one JSON value', () => {
    const parsed: unknown = JSON.parse(whole(journalFormats.json, sale, sale))
    const entry = {
      at: '2026-11-23T09:12:31.000Z',
      kind: 'payment_confirmed',
      subject: 'pay_1',
      transaction_hash: 'ab12',
      event: { id: 'e1', type: 'PaymentConfirmed', stream: 'payment-pay_1', revision: 2 },
      postings: [
        { account: 'Liabilities:Incoming payments', commodity: 'XLM', amount: '40.0000001' },
        { account: 'Equity:Conversion', commodity: 'XLM', amount: '-40.0000001' },
        { account: 'Equity:Conversion', commodity: 'USD', amount: '10.05' },
        { account: 'Income:Sales', commodity: 'USD', amount: '-10.05' },
      ],
    }
    expect(parsed).toEqual([entry, entry])
    expect(JSON.parse(whole(journalFormats.json))).toEqual([])
  })
})
