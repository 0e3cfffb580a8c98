import { customers } from '@quittance/projections'
import { type WalletResource, walletResource } from '../../resources/wallet.ts'
import { fromStream, idIn, type Renderer, rowOf } from './as-of.ts'

/** A wallet with its customer. */
export type CustomerWallet = WalletResource & { readonly customer_id: string }

/** Renders a wallet; an unlinked one as it was before. */
export const renderWallet: Renderer<CustomerWallet> = fromStream((publicEvent, events) => {
  const customerId = idIn(publicEvent)
  const isGone = publicEvent.type === 'payment_method.deleted'
  const { wallets } = rowOf(customers, customerId, isGone ? events.slice(0, -1) : events).row
  const linked = wallets.find(({ wallet }) => wallet.walletId === publicEvent.resourceId)
  if (linked === undefined) throw new Error(`${publicEvent.resourceId} has a public event and is no wallet`)
  return { ...walletResource(linked), customer_id: customerId }
})
