import type { CustomerRow } from '@quittance/projections'
import { timestamp } from './fields.ts'

/** A wallet as the interface shows it. */
export const walletResource = ({ wallet, linkedAt }: CustomerRow['wallets'][number]) => ({
  id: wallet.walletId,
  address: wallet.address,
  via: wallet.via === 'proof' ? ('proven' as const) : ('payment' as const),
  metadata: {},
  created_at: timestamp(linkedAt),
})
export type WalletResource = ReturnType<typeof walletResource>
