import fc from 'fast-check'
import { quote } from '../testing/pages.ts'
import { readQuote, readStatus } from './wire.ts'

const status = {
  checkout_id: 'chk_1',
  status: 'completed',
  amount_received: '12.5',
  amount_due: '0',
  asset_code: 'USDC',
  currency_code: 'USD',
  payment_id: 'pay_1',
  transaction_hash: 'ab',
  failure_reason: null,
  late: true,
  redirect_url: 'https://shop.example',
  expires_at: '',
  valid_until: '',
}

describe('a response of the service', () => {
  it('reads a status', () =>
    expect(readStatus(status)).toEqual({
      status: 'completed',
      amountReceived: '12.5',
      amountDue: '0',
      transactionHash: 'ab',
      failureReason: null,
      isLate: true,
      redirectUrl: 'https://shop.example',
    }))

  it('reads a quote', () =>
    expect(readQuote(quote)).toEqual({
      destination: quote.destination,
      assetId: quote.asset_id,
      amount: '12.5',
      amountReceived: '0',
      amountDue: '12.5',
      memo: quote.memo,
      validUntil: quote.valid_until,
      sep7Uri: quote.sep7_uri,
      mandate: null,
      isAuthorization: false,
    }))

  it('reads from the id of a quote that an existing subscription asks', () =>
    expect(readQuote({ ...quote, checkout_id: `auth_${quote.checkout_id.slice(4)}` })?.isAuthorization).toBe(true))

  it.each(['destination', 'asset_id', 'amount', 'amount_received', 'amount_due', 'memo', 'valid_until', 'sep7_uri'])(
    'rejects a quote without its %s',
    (field) => expect(readQuote({ ...quote, [field]: undefined })).toBeNull(),
  )

  it('rejects a quote whose link opens anything but a wallet', () =>
    expect(readQuote({ ...quote, sep7_uri: 'javascript:alert(1)' })).toBeNull())

  it('reads no status and no quote from other values', () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(readStatus(value)).toBeNull()
        expect(readQuote(value)).toBeNull()
      }),
    ))
})
