import type { Receipt } from '@quittance/billing'
import { AccountId, asText, LedgerSequence, TransactionHash } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'

export const hash = decoded(TransactionHash, 'ab'.repeat(32))
const from = decoded(AccountId, 'GAAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQCAIBAEAQDZ7H')
/** What a renewal was paid with. */
export const receipt: Receipt = {
  number: `pay_${'1'.repeat(22)}`,
  environment: 'mainnet',
  merchant: 'Aurora Coffee',
  seller: {
    legalName: asText('Aurora Coffee GmbH'),
    address: asText('Hafenweg 1\n20457 Hamburg'),
    taxId: asText('DE123456789'),
    supportContact: asText('help@aurora.example'),
    logo: null,
  },
  paidAt: '2026-11-20T10:00:05.000Z',
  customer: { name: 'Ada Łovelace', email: 'ada@shop.example' },
  subject: 'A book club',
  purpose: 'renewal',
  period: { start: '2026-11-20T10:00:00.000Z', end: '2026-12-20T10:00:00.000Z' },
  amount: '12.6 USDC',
  amount_cents: 1250,
  currency: 'EUR',
  overpaid: null,
  rates: [{ pair: 'EUR/USDC', rate: '1.008', source: 'bank', observedAt: '2026-11-20T10:00:00.000Z' }],
  transactions: [{ hash, ledger: decoded(LedgerSequence, 7), amount: '12.6 USDC', from }],
  refunds: [],
  isReturned: false,
}
