import { fieldsOf } from './fields.ts'

describe('the fields of a resource', () => {
  it('are named in words, with those of their parts, without what is personal or said twice', () => {
    const payment = {
      id: 'pay_1',
      object: 'payment',
      amount: '13.5 USDC',
      amount_stroops: '135000000',
      status: 'confirmed',
      transactions: [{ hash: 'f0', ledger: 230, from: 'GADA' }],
      billing_details: { email: 'ada@example.com', name: 'Ada' },
      payment_method_details: { id: 'pm_1', address: 'GADA' },
      metadata: { order: '7' },
      confirmed_at: '2027-03-03T09:00:02.000Z',
      platform_fee: null,
      late: false,
    }
    expect(fieldsOf(payment)).toEqual([
      ['amount', '13.5 USDC'],
      ['transactions 1 hash', 'f0'],
      ['transactions 1 ledger', '230'],
      ['transactions 1 from', 'GADA'],
      ['payer id', 'pm_1'],
      ['payer address', 'GADA'],
      ['confirmed at', '2027-03-03 09:00:02 UTC'],
      ['platform fee', 'none'],
      ['late', 'no'],
    ])
  })
})
