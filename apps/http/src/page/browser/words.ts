export type CheckoutStatus = 'open' | 'completed' | 'expired' | 'failed'

const payment: Readonly<Record<CheckoutStatus, string>> = {
  open: 'Waiting for your payment',
  completed: 'Payment received',
  expired: 'This checkout has expired',
  failed: 'This checkout could not be completed',
}

const subscription: Readonly<Record<CheckoutStatus, string>> = {
  ...payment,
  open: 'Waiting for your signature',
  completed: 'Your subscription has begun',
}

/** One line for each status, in the payer's words. Said by the server and by the page's script. */
export const statusLines = (isSubscription: boolean): Readonly<Record<CheckoutStatus, string>> =>
  isSubscription ? subscription : payment

const reasons: Readonly<Record<string, string>> = {
  underpaid:
    'The full amount had not arrived when the time ran out. What was received is sent back to the paying account if it can be.',
  wrong_asset:
    'A payment arrived in a different asset from the one asked for. It is sent back to the paying account if it can be.',
  authorization_failed:
    'The authorisation that was signed is not the one this checkout asked for, so nothing was started.',
  product_unavailable: 'This product is no longer available.',
}

/** In place of the line for `open` while there is no rate. */
export const noPriceLine = 'Waiting for a price'

/** Why a checkout failed, for a person. A reason this page does not know gets a sentence that is still true. */
export const failureText = (reason: string | null): string =>
  (reason === null || !Object.hasOwn(reasons, reason) ? undefined : reasons[reason]) ??
  'The payment could not be applied to this checkout.'

/** The code people know an asset by: `XLM`, or the part before the issuer. */
export const assetCode = (assetId: string): string =>
  assetId === 'native' ? 'XLM' : (assetId.split(':')[0] ?? assetId)

/** Who issues the asset; null for the network's own. */
export const assetIssuer = (assetId: string): string | null => assetId.split(':')[1] ?? null
