import { fieldsOf, textIn } from './fields.ts'
import { type Mandate, readMandate } from './mandate.ts'
import type { CheckoutStatus } from './words.ts'

/** The part of `GET /pay/{id}/status` that the page shows. Amounts are decimals in units of the asset. */
export type Status = {
  readonly status: CheckoutStatus
  readonly amountReceived: string | null
  readonly amountDue: string | null
  readonly transactionHash: string | null
  readonly failureReason: string | null
  readonly isLate: boolean
  readonly redirectUrl: string | null
}

/**
 * The part of `GET /pay/{id}/quote` that changes when a quote is renewed, and against which transactions are checked.
 */
export type PageQuote = {
  readonly destination: string
  readonly assetId: string
  readonly amount: string
  readonly amountReceived: string
  readonly amountDue: string
  readonly memo: string
  readonly validUntil: string
  /** Null for a subscription, which has a mandate instead. */
  readonly sep7Uri: string | null
  readonly mandate: Mandate | null
  /** Whether an existing subscription asks: the wallet may then just approve more for the mandate it has. */
  readonly isAuthorization: boolean
}

const isStatus = (text: string | null): text is CheckoutStatus =>
  text === 'open' || text === 'completed' || text === 'expired' || text === 'failed'

/** Null for invalid values: the page then stays as it is. */
export const readStatus = (value: unknown): Status | null => {
  const fields = fieldsOf(value)
  const status = textIn(fields, 'status')
  if (!isStatus(status)) return null
  return {
    status,
    amountReceived: textIn(fields, 'amount_received'),
    amountDue: textIn(fields, 'amount_due'),
    transactionHash: textIn(fields, 'transaction_hash'),
    failureReason: textIn(fields, 'failure_reason'),
    isLate: fields.late === true,
    redirectUrl: textIn(fields, 'redirect_url'),
  }
}

/** A holding of an account that may be sent, from `GET /pay/{id}/assets`; the amounts are null without a path. */
export type PayerAsset = {
  readonly assetId: string
  readonly balance: string
  readonly sendAmount: string | null
  readonly sendMax: string | null
  readonly isPriceChecked: boolean
}

/** Skips invalid entries. */
export const readAssets = (value: unknown): ReadonlyArray<PayerAsset> =>
  (Array.isArray(value) ? value : []).flatMap((entry: unknown) => {
    const fields = fieldsOf(entry)
    const [assetId, balance] = [textIn(fields, 'asset_id'), textIn(fields, 'balance')]
    if (assetId === null || balance === null) return []
    const [sendAmount, sendMax] = [textIn(fields, 'send_amount'), textIn(fields, 'send_max')]
    return [{ assetId, balance, sendAmount, sendMax, isPriceChecked: fields.is_price_checked === true }]
  })

/** The asset that the payer chose, and the most of it to send. */
export type Choice = { readonly assetId: string; readonly sendMax: string }

/** A transaction for the payer to sign, from `POST /pay/{id}/transaction`. */
export type Proposal = {
  readonly sep7Uri: string
  readonly sendMax: string | null
  readonly expiresAt: string
  readonly mandate: Mandate | null
}

/** Null when a field is missing or the URI does not open a Stellar wallet. */
export const readProposal = (value: unknown): Proposal | null => {
  const fields = fieldsOf(value)
  const [sep7Uri, expiresAt] = [textIn(fields, 'sep7_uri'), textIn(fields, 'expires_at')]
  if (sep7Uri === null || expiresAt === null || !sep7Uri.startsWith('web+stellar:')) return null
  return { sep7Uri, expiresAt, sendMax: textIn(fields, 'send_max'), mandate: readMandate(fields.mandate) }
}

/** Null when a field is missing or the URI does not open a Stellar wallet. */
export const readQuote = (value: unknown): PageQuote | null => {
  const fields = fieldsOf(value)
  const destination = textIn(fields, 'destination')
  const assetId = textIn(fields, 'asset_id')
  const amount = textIn(fields, 'amount')
  const amountReceived = textIn(fields, 'amount_received')
  const amountDue = textIn(fields, 'amount_due')
  const memo = textIn(fields, 'memo')
  const validUntil = textIn(fields, 'valid_until')
  const sep7Uri = textIn(fields, 'sep7_uri')
  const mandate = readMandate(fields.mandate)
  if (destination === null || assetId === null || amount === null || amountReceived === null) return null
  if (amountDue === null || memo === null || validUntil === null) return null
  if (mandate === null && sep7Uri?.startsWith('web+stellar:') !== true) return null
  const shown = { destination, assetId, amount, amountReceived, amountDue, memo, validUntil, sep7Uri, mandate }
  return { ...shown, isAuthorization: textIn(fields, 'checkout_id')?.startsWith('auth_') === true }
}
