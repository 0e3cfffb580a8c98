import { CorruptStream } from '../shared/decider.ts'
import type { WalletId } from '../shared/ids.ts'
import type { CustomerEvent, CustomerRecord, Wallet } from './events.ts'

/**
 * `abandoned`: its email was forfeited before it came to be, and it never will: the fence that kept a late writer from
 * creating it is final. `emailRevision` counts the events that change the email or fence it. `unlinked` are the ids of
 * wallets that were linked once; an id is never used again.
 */
export type CustomerState =
  | { readonly status: 'absent' }
  | { readonly status: 'abandoned' }
  | {
      readonly status: 'active'
      readonly record: CustomerRecord
      readonly emailRevision: number
      readonly wallets: ReadonlyArray<Wallet>
      readonly unlinked: ReadonlyArray<WalletId>
    }
  | { readonly status: 'deleted' }

export const initial: CustomerState = { status: 'absent' }

export const evolve = (state: CustomerState, { type, data }: CustomerEvent): CustomerState => {
  if (type === 'EmailForfeited') {
    if (state.status === 'absent') return { status: 'abandoned' }
    return state.status === 'active' ? { ...state, emailRevision: state.emailRevision + 1 } : state
  }
  if (type === 'CustomerCreated') {
    if (state.status !== 'absent') throw new CorruptStream(type, state.status)
    return { status: 'active', record: data, emailRevision: 0, wallets: [], unlinked: [] }
  }
  if (state.status !== 'active') throw new CorruptStream(type, state.status)
  switch (type) {
    case 'CustomerUpdated': {
      const emailRevision = state.emailRevision + (data.emailHash === undefined ? 0 : 1)
      return { ...state, record: { ...state.record, ...data }, emailRevision }
    }
    case 'WalletLinked':
      return { ...state, wallets: [...state.wallets, data] }
    case 'WalletProven': {
      const prove = (wallet: Wallet): Wallet =>
        wallet.walletId === data.walletId ? { ...wallet, via: 'proof' } : wallet
      return { ...state, wallets: state.wallets.map(prove) }
    }
    case 'WalletUnlinked': {
      const wallets = state.wallets.filter(({ walletId }) => walletId !== data.walletId)
      return { ...state, wallets, unlinked: [...state.unlinked, data.walletId] }
    }
    case 'CustomerDeleted':
      return { status: 'deleted' }
  }
}
