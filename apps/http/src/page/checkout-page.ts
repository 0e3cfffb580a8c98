import type { PageKind } from './browser/words.ts'
import type { Reader } from './reader.ts'

/**
 * A quote, as `GET /pay/{id}/quote` answers it. Amounts are decimals in units of the asset, such as `"12.5"`; times are
 * ISO 8601. `amount_due` is still to be paid.
 */
export type Quote = {
  readonly checkout_id: string
  readonly status: string
  readonly destination: string
  /** `native`, or `CODE:ISSUER`. */
  readonly asset_id: string
  readonly amount: string
  readonly currency_code: string
  readonly currency_amount: string | number
  readonly memo: string
  readonly memo_type: 'text'
  readonly network_passphrase: string
  readonly valid_until: string
  readonly amount_received: string
  readonly amount_due: string
  /** Null for a subscription. */
  readonly sep7_uri: string | null
  readonly rates: ReadonlyArray<{
    readonly source: string
    readonly pair: string
    readonly rate: string | number
    readonly observed_at: string
  }>
  /** The terms of a subscription; null for other sales. */
  readonly mandate: {
    readonly contract_id: string | null
    readonly asset_code: string
    readonly first_amount: string
    readonly owed: string
    readonly cap: string
    readonly interval: 'day' | 'week' | 'month' | 'year'
    readonly interval_count: number
    readonly trial_days: number
    readonly trial_ends_at: string | null
    readonly replaces: string | null
  } | null
}

/** Whether the payer must sign a mandate instead of a plain payment. */
export const isSigned = ({ kind }: CheckoutPage): boolean => kind === 'subscription' || kind === 'authorization'

/** The network of the sandbox's wallet. */
type SandboxNetwork = {
  readonly rpcUrl: string
  readonly friendbotUrl: string
  readonly networkPassphrase: string
}

/** The relay that a page and a wallet on another device speak through, and the operator’s name for it. */
export type WalletConnectRelay = { readonly projectId: string; readonly relayUrl: string }

/** Who sells. */
export type Seller = {
  readonly legalName: string | null
  readonly address: string | null
  readonly taxId: string | null
  readonly supportContact: string | null
  /** A `data:` URI. */
  readonly logo: string | null
}

/** The content of the page. Anyone with the id may read it, so it says nothing about the payer. */
export type CheckoutPage = {
  readonly reader: Reader
  readonly checkoutId: string
  readonly environment: 'testnet' | 'mainnet'
  readonly isSandbox: boolean
  readonly merchantName: string
  readonly seller: Seller
  /** What is accepted by paying or signing; null if there are no terms. */
  readonly terms: { readonly url: string; readonly version: string } | null
  readonly productName: string | null
  readonly description: string | null
  readonly images: ReadonlyArray<string>
  readonly status: 'open' | 'completed' | 'expired' | 'failed'
  readonly failureReason: string | null
  /** http or https; visited with `?checkout_id=…` after payment. */
  readonly redirectUrl: string | null
  /** ISO 8601. */
  readonly expiresAt: string
  /** The server's time, ISO 8601: a sandbox's clock may be ahead of the payer's. */
  readonly now: string
  readonly kind: PageKind
  /** Whether the page asks who subscribes, because no customer is known. */
  readonly needsCustomer: boolean
  /** Whether the operator of the service has stopped payments for now. */
  readonly isPaused: boolean
  /** Null without a rate, while payments are paused, and when the checkout is not open. */
  readonly quote: Quote | null
  readonly sandbox: SandboxNetwork | null
  /** The relay of wallets on other devices; null where none is configured. */
  readonly walletConnect: WalletConnectRelay | null
  /** Whether a payment has completed it: then there is a receipt. */
  readonly isPaid: boolean
  /** Whether paths from other assets can be found. */
  readonly takesOtherAssets: boolean
}
