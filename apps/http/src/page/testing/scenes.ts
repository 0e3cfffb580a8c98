import { AccountId, asText, WalletId } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import {
  renderClosedPortal,
  renderEmailChanged,
  renderEmailCodes,
  renderInbox,
  renderNoDoor,
  renderNoInbox,
  renderNoReceipt,
  renderNotFoundPage,
  renderPortal,
  renderPortalCode,
  renderPortalEntry,
  renderReceipt,
  renderRefusedPortal,
  renderSpentCode,
  renderStartPage,
  renderTroubledPortal,
} from '../index.ts'
import { openPage, quote, subscriptionPage } from './pages.ts'
import { month, newest, view, visit } from './portal.ts'
import { receipt } from './receipt.ts'
import type { Scene } from './stage.ts'

const seller = {
  legalName: asText('Aurora Coffee GmbH'),
  address: asText('Hafenweg 1\n20457 Hamburg'),
  taxId: asText('DE123456789'),
  supportContact: asText('help@aurora.example'),
  logo: null,
}
const terms = { url: 'https://shop.example/terms', version: '2026-11' }
const open = { ...openPage, redirectUrl: null, seller, terms }
const real = { ...open, isSandbox: false, sandbox: null, environment: 'mainnet' } as const
const mandated = { ...subscriptionPage, redirectUrl: null, seller, terms }
const ended = { ...open, quote: null }
const again = {
  ...mandated,
  kind: 'authorization',
  terms: null,
  quote: mandated.quote === null ? null : { ...mandated.quote, checkout_id: 'auth_1' },
} as const

const payment = {
  id: 'pay_1',
  amount: '13.5 USDC',
  amount_cents: 1250,
  currency_code: 'EUR',
  status: 'confirmed',
  transaction_hash: null,
  receipt_url: '/receipts/x',
  at: '2026-11-20T10:00:00.000Z',
  subject: 'A book club with a long name that has to be broken',
  purpose: 'renewal',
  period: { start: '2026-11-20T10:00:00.000Z', end: '2026-12-20T10:00:00.000Z' },
} as const
const wallet: (typeof view.wallets)[number] = {
  id: decoded(WalletId, `cwl_${'1'.repeat(22)}`),
  address: decoded(AccountId, quote.destination),
  via: 'proven',
  metadata: {},
  created_at: '2026-11-20T10:00:00.000Z',
}
const asked = { ...month.authorization, status: 'revoked', update_url: 'https://pay.example/pay/auth_1' } as const
const portal = {
  ...view,
  seller,
  subscriptions: [
    month,
    {
      ...month,
      id: 'sub_2',
      product: 'Beans every week',
      interval: 'week',
      status: 'overdue',
      invoice_url: 'https://pay.example/pay/inv_1',
    },
    {
      ...month,
      id: 'sub_3',
      product: 'Tea',
      status: 'past_due',
      authorization: asked,
      grace_until: '2026-12-01T10:00:00.000Z',
    },
    { ...month, id: 'sub_4', product: 'Papers', status: 'canceled', canceled_at: '2026-11-01T10:00:00.000Z' },
  ],
  payments: [payment, { ...payment, id: 'pay_2', status: 'failed', receipt_url: null }],
  wallets: [wallet],
  canChangeEmail: true,
  more: { subscriptions: null, payments: 'pay_2' },
} as const
const door = { merchant: 'Aurora Coffee', merchantId: 'mer_1', environment: 'testnet', hasMail: true } as const
const showing = { isSandbox: true, explorer: (_: string, hash: string) => `https://explorer.example/tx/${hash}` }
const mail = {
  id: 1,
  to: { address: 'ada@shop.example' },
  subject: 'Your receipt',
  text: 'Thank you.\nhttps://pay.example/receipts/x',
  sentAt: Date.parse('2026-11-20T10:00:00.000Z'),
}

/** Every page of payers, in every state that looks different. */
export const scenes: Readonly<Record<string, Scene>> = {
  'checkout-open': open,
  'checkout-own-wallet': real,
  'checkout-part-paid': { ...open, quote: { ...quote, amount_received: '5.1234567', amount_due: '7.3765433' } },
  'checkout-no-price': { ...ended, isPaused: false },
  'checkout-paused': { ...ended, isPaused: true },
  'checkout-paid': { ...ended, status: 'completed', isPaid: true },
  'checkout-expired': { ...ended, status: 'expired' },
  'checkout-failed': { ...ended, status: 'failed', failureReason: 'underpaid' },
  subscription: mandated,
  'subscription-own-wallet': { ...mandated, isSandbox: false, sandbox: null },
  'subscription-who': { ...mandated, needsCustomer: true },
  'subscription-begun': { ...mandated, quote: null, status: 'completed' },
  invoice: { ...open, kind: 'invoice' },
  'invoice-paid': { ...ended, kind: 'invoice', status: 'completed', isPaid: true },
  'invoice-not-owed': { ...ended, kind: 'invoice', status: 'failed', failureReason: 'not_owed' },
  authorization: again,
  'authorization-given': { ...again, quote: null, status: 'completed' },
  'not-found': renderNotFoundPage,
  portal: (reader) => renderPortal(reader, portal, { ...visit, returnUrl: 'https://shop.example/' }, newest),
  'portal-empty': (reader) => renderPortal(reader, view, visit, newest, 'A problem'),
  'portal-closed': renderClosedPortal,
  'portal-refused': (reader) => renderRefusedPortal(reader, 'A problem'),
  'portal-troubled': (reader) => renderTroubledPortal(reader, 'A problem'),
  'portal-entry': (reader) => renderPortalEntry(reader, door),
  'portal-entry-without-mail': (reader) => renderPortalEntry(reader, { ...door, hasMail: false }),
  'portal-code': (reader) => renderPortalCode(reader, door, 'entry_1', 'A problem'),
  'portal-code-spent': renderSpentCode,
  'portal-no-door': renderNoDoor,
  'email-codes': (reader) => renderEmailCodes(reader, 'change_1', 'a token', 'A problem'),
  'email-changed': renderEmailChanged,
  receipt: (reader) => renderReceipt({ ...receipt, environment: 'testnet' }, { ...showing, reader }, '/file'),
  'no-receipt': renderNoReceipt,
  inbox: (reader) => renderInbox(reader, [mail]),
  'inbox-empty': (reader) => renderInbox(reader, []),
  'no-inbox': renderNoInbox,
  start: (reader) => renderStartPage(reader, { isSandbox: true }),
}
