import type { Customer } from '../customer/index.ts'
import type { CustomerMerges } from '../customer-merges/index.ts'
import type { Behind } from './behind.ts'

export const behindCustomer: Behind<typeof Customer> = (state, { type, data }) => {
  switch (type) {
    case 'CustomerCreated':
      return [{ type: 'CreateCustomer', ...data }]
    case 'CustomerUpdated': {
      const { emailHash: hash, ...changed } = data
      const revision = state.status === 'active' ? state.emailRevision : 0
      return [{ type: 'UpdateCustomer', ...changed, ...(hash === undefined ? {} : { email: { hash, revision } }) }]
    }
    case 'WalletLinked':
      return [{ type: 'LinkWallet', ...data }]
    case 'WalletProven': {
      const known = state.status === 'active' ? state.wallets : []
      return known
        .filter(({ walletId }) => walletId === data.walletId)
        .map((wallet) => ({ type: 'LinkWallet', ...wallet, via: 'proof' }))
    }
    case 'WalletUnlinked':
      return [{ type: 'UnlinkWallet', ...data }]
    case 'CustomerDeleted':
      return [{ type: 'DeleteCustomer' }]
    case 'EmailForfeited':
      return [{ type: 'ForfeitEmail', ...data }]
  }
}

export const behindCustomerMerges: Behind<typeof CustomerMerges> = (_, { data }) => [
  { type: 'MergeCustomers', ...data },
]
