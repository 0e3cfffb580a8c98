import type { Billing } from '@quittance/billing'
import {
  DeletedWallet,
  id,
  Wallet,
  WalletAddress,
  WalletChallenge,
  WalletProof,
  WalletReceipt,
} from '@quittance/client/wire'
import { keyed } from '../wire/auth.ts'
import { removed } from '../wire/call.ts'
import { ofProofs } from '../wire/declared-codes.ts'
import { command, type Route } from '../wire/route.ts'

const params = { id: id('cus_') }
const auth = keyed('customers:write')

/** Proven wallets of a customer. */
export const walletRoutes = (billing: Billing): ReadonlyArray<Route> => {
  const { wallets } = billing
  return [
    command(billing, {
      method: 'POST',
      path: '/customers/:id/wallets',
      summary: 'Ask for a proof that an address belongs to a customer',
      auth,
      params,
      body: WalletAddress,
      answer: WalletChallenge,
      receipt: 'all',
      problems: ['network_not_configured'],
      handler: (context, { address }, { param }) => wallets.start(context, param('id'), address),
    }),
    command(billing, {
      method: 'POST',
      path: '/customers/:id/wallets/verify',
      summary: 'Link the address of a signed proof',
      auth,
      params,
      body: WalletProof,
      answer: Wallet,
      receipt: WalletReceipt,
      problems: [...ofProofs, 'network_not_configured', 'ledger_unavailable'],
      handler: (context, { transaction }, { param }) => wallets.verify(context, param('id'), transaction),
    }),
    command(billing, {
      method: 'DELETE',
      path: '/customers/:id/wallets/:wallet',
      summary: 'Unlink a wallet from a customer',
      auth,
      params: { ...params, wallet: id('cwl_') },
      answer: DeletedWallet,
      receipt: 'all',
      problems: ['wallet_in_use'],
      handler: (context, _, { param }) =>
        removed(wallets.remove(context, param('id'), param('wallet')), { id: param('wallet'), object: 'wallet' }),
    }),
  ]
}
