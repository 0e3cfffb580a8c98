import type { CheckoutPage, Quote } from '../checkout-page.ts'
import { inEnglish } from './readers.ts'

export const quote: Quote & { readonly sep7_uri: string } = {
  checkout_id: 'chk_0AbCdEfGhIjKlMnOpQrStU',
  status: 'open',
  destination: 'GBODF2CEFVRATBEOMSMZKAQGH6CVAVFTSC2Y2CFQMJRYE2ELSHLTT3GM',
  asset_id: 'USDC:GC6GYKCMRBVXZQZLD4WV7QRJSA6Q4FJDJASMEC7776634JW3GSLZ7Q2W',
  amount: '12.5',
  currency_code: 'USD',
  currency_amount: '12.50',
  memo: 'chk_0AbCdEfGhIjKlMnOpQrStU',
  memo_type: 'text',
  network_passphrase: 'Sandbox under test',
  valid_until: '2026-11-20T10:15:00.000Z',
  amount_received: '0',
  amount_due: '12.5',
  sep7_uri: 'web+stellar:pay?destination=GBODF2&amount=12.5&memo=chk_0AbCdEfGhIjKlMnOpQrStU&memo_type=MEMO_TEXT',
  rates: [{ source: 'sandbox', pair: 'USDC/USD', rate: '1', observed_at: '2026-11-20T10:00:00.000Z' }],
  mandate: null,
}

/** An open checkout in the sandbox. */
export const openPage: CheckoutPage = {
  reader: inEnglish,
  checkoutId: quote.checkout_id,
  environment: 'testnet',
  isSandbox: true,
  merchantName: 'Aurora Coffee',
  seller: { legalName: null, address: null, taxId: null, supportContact: null, logo: null },
  terms: null,
  productName: 'Tasting box',
  description: 'Three coffees',
  images: [],
  status: 'open',
  failureReason: null,
  redirectUrl: 'https://shop.example/thanks?order=1',
  expiresAt: '2026-11-21T10:00:00.000Z',
  now: '2026-11-20T10:00:00.000Z',
  kind: 'payment',
  needsCustomer: false,
  quote,
  isPaid: false,
  takesOtherAssets: true,
  isPaused: false,
  walletConnect: null,
  sandbox: {
    rpcUrl: 'http://127.0.0.1:8000/rpc',
    friendbotUrl: 'http://127.0.0.1:8001/friendbot',
    networkPassphrase: quote.network_passphrase,
  },
}

/** An open checkout of a subscription with a trial of two weeks. */
export const subscriptionPage: CheckoutPage = {
  ...openPage,
  productName: 'Tasting box, every month',
  kind: 'subscription',
  quote: {
    ...quote,
    sep7_uri: null,
    amount_due: '0',
    mandate: {
      contract_id: 'CBDKCGZIXR4GTJKGC2RTNY4XRJ3SHHE2VZV7344JNTKM2ZXLUBXZ2AI4',
      asset_code: 'USDC',
      first_amount: '0',
      owed: '0',
      cap: '13.75',
      interval: 'month',
      interval_count: 1,
      trial_days: 14,
      trial_ends_at: '2026-12-04T10:00:00.000Z',
      replaces: null,
    },
  },
}
