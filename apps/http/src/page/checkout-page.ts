import type { PageKind } from './browser/words.ts'

/**
 * A price that the payer is asked to pay, as `GET /pay/{id}/quote` answers it. Amounts are decimals in units of the
 * asset, such as `"12.5"`; times are ISO 8601. `amount_due` is what is still to be sent.
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
  /** Null of a subscription, which takes no plain payment. */
  readonly sep7_uri: string | null
  readonly rates: ReadonlyArray<{
    readonly source: string
    readonly pair: string
    readonly rate: string | number
    readonly observed_at: string
  }>
  /** Of a subscription: what its customer agrees to; null of any other sale. */
  readonly mandate: {
    readonly contract_id: string | null
    readonly currency_code: string
    readonly first_amount: string
    readonly owed: string
    readonly cap: string
    readonly interval: 'day' | 'week' | 'month' | 'year'
    readonly interval_count: number
    readonly trial_days: number
    readonly trial_ends_at: string | null
  } | null
}

/** Whether a wallet has to agree to what is collected later: a plain payment would not do. */
export const isSigned = ({ kind }: CheckoutPage): boolean => kind === 'subscription' || kind === 'authorization'

/** Where the sandbox's own wallet finds its network. */
type SandboxNetwork = {
  readonly rpcUrl: string
  readonly friendbotUrl: string
  readonly networkPassphrase: string
}

/** Everything the page shows. Anyone who knows the id may read it, so it holds nothing about the payer. */
export type CheckoutPage = {
  readonly checkoutId: string
  readonly environment: 'testnet' | 'mainnet'
  readonly isSandbox: boolean
  readonly merchantName: string
  readonly productName: string | null
  readonly description: string | null
  readonly images: ReadonlyArray<string>
  readonly status: 'open' | 'completed' | 'expired' | 'failed'
  readonly failureReason: string | null
  /** http or https; visited with `?checkout_id=…` after payment. */
  readonly redirectUrl: string | null
  /** ISO 8601. */
  readonly expiresAt: string
  /** The time by which `expiresAt` and the quote are meant, ISO 8601: a sandbox's clock may be ahead of the payer's. */
  readonly now: string
  readonly kind: PageKind
  /** A subscription is somebody's: without a customer, the page asks who subscribes. */
  readonly needsCustomer: boolean
  /** Null while there is no rate, or when the checkout is not open. */
  readonly quote: Quote | null
  readonly sandbox: SandboxNetwork | null
  /** Whether ways can be found to pay with another asset than the quote's. */
  readonly takesOtherAssets: boolean
}
