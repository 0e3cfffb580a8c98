import type { WalletId } from '../shared/ids.ts'
import type { KeyedHash, Sealed } from '../shared/sealed.ts'
import type { CustomerRecord, Wallet } from './events.ts'

export type CreateCustomer = { readonly type: 'CreateCustomer' } & CustomerRecord

/**
 * Changes the given fields and leaves the others. An email has been claimed for the customer by now: `revision` is the
 * `emailRevision` of the state that was read before the claim, and proves that nobody has taken the claim away since.
 */
export type UpdateCustomer = {
  readonly type: 'UpdateCustomer'
  readonly profile?: Sealed | null
  readonly email?: { readonly hash: KeyedHash | null; readonly revision: number }
  readonly phoneHash?: KeyedHash | null
}

/** Satisfied as soon as the address is linked, under whatever id; by a proof, once it is proven. */
export type LinkWallet = { readonly type: 'LinkWallet' } & Wallet

export type UnlinkWallet = { readonly type: 'UnlinkWallet'; readonly walletId: WalletId }

type DeleteCustomer = { readonly type: 'DeleteCustomer' }

export type ForfeitEmail = { readonly type: 'ForfeitEmail'; readonly emailHash: KeyedHash }

/** What may be asked of a customer. */
export type CustomerCommand =
  | CreateCustomer
  | UpdateCustomer
  | LinkWallet
  | UnlinkWallet
  | DeleteCustomer
  | ForfeitEmail
