import type { PortalPlace, PortalSubscription, PortalView } from '@quittance/billing'

/** A subscription that nothing is the matter with. */
export const month: PortalSubscription = {
  id: 'sub_0AbCdEfGhIjKlMnOpQrStU',
  product: 'A book club',
  interval: 'month',
  status: 'active',
  current_period_end: '2026-12-20T10:00:00.000Z',
  next_renewal_at: '2026-12-20T10:00:00.000Z',
  cancel_at_period_end: false,
  canceled_at: null,
  grace_until: null,
  invoice_url: null,
  price_amount_cents: 1250,
  currency_code: 'EUR',
  resuming: false,
  changing: false,
  changingWallet: false,
  moving: false,
  pending_price_change: null,
  authorization: { status: 'active', cap: '14.85 USDC', update_url: null },
}

export const newest: PortalPlace = { subscriptions: null, payments: null }
export const visit = { formToken: 'a token', returnUrl: null }
export const view: PortalView = {
  merchant: 'A Shop',
  seller: null,
  subscriptions: [month],
  payments: [],
  wallets: [],
  canChangeEmail: false,
  more: newest,
}
