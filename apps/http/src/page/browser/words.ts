export type CheckoutStatus = 'open' | 'completed' | 'expired' | 'failed'

/** The purpose of a page: a purchase, a subscription, an overdue invoice, or a new authorisation. */
export type PageKind = 'payment' | 'subscription' | 'invoice' | 'authorization'

type StatusLines = Readonly<Record<CheckoutStatus, string>>
const payment: StatusLines = {
  open: 'Waiting for your payment',
  completed: 'Payment received',
  expired: 'This checkout has expired',
  failed: 'This checkout could not be completed',
}

const signature: StatusLines = { ...payment, open: 'Waiting for your signature' }

const lines: Readonly<Record<PageKind, StatusLines>> = {
  payment,
  subscription: { ...signature, completed: 'Your subscription has begun' },
  invoice: { ...payment, failed: 'There is nothing to pay here any more' },
  authorization: {
    ...signature,
    completed: 'Your wallet has agreed',
    failed: 'There is nothing to sign here any more',
  },
}

/** One line for each status, for payers. The server and the page's script share it. */
export const statusLines = (kind: PageKind): StatusLines => lines[kind]

const reasons: Readonly<Record<string, string>> = {
  underpaid:
    'The full amount had not arrived when the time ran out. What was received is sent back to the paying account if it can be.',
  wrong_asset:
    'A payment arrived in a different asset from the one asked for. It is sent back to the paying account if it can be.',
  authorization_failed:
    'The authorisation that was signed is not the one this checkout asked for, so nothing was started.',
  product_unavailable: 'This product is no longer available.',
  paid_otherwise:
    'It was paid in another way, and your subscription goes on. What was sent here is sent back to the paying account if it can be.',
  not_owed: 'It is not owed any more. What was sent here is sent back to the paying account if it can be.',
  subscription_canceled: 'The subscription has ended.',
  not_needed: 'What was asked for here is not needed any more.',
}

/** They replace the line for `open` while there is no rate, and while payments are paused. */
export const noPriceLine = 'Waiting for a price'
export const pausedLine = 'Payments are paused'

/** Why a checkout failed, for payers. An unknown reason gets a sentence that is true for all. */
export const failureText = (reason: string | null): string =>
  (reason === null || !Object.hasOwn(reasons, reason) ? undefined : reasons[reason]) ??
  'The payment could not be applied to this checkout.'

/** The code of an asset: `XLM`, or the part before the issuer. */
export const assetCode = (assetId: string): string =>
  assetId === 'native' ? 'XLM' : (assetId.split(':')[0] ?? assetId)

/** The issuer of an asset; null for the network's own. */
export const assetIssuer = (assetId: string): string | null => assetId.split(':')[1] ?? null
