import type { WalletId } from '../shared/ids.ts'
import type { KeyedHash, Sealed } from '../shared/sealed.ts'
import type { CustomerRecord, Wallet } from './events.ts'

export type CreateCustomer = { readonly type: 'CreateCustomer' } & CustomerRecord

/** Changes what is given and leaves the rest. */
export type UpdateCustomer = {
  readonly type: 'UpdateCustomer'
  readonly profile?: Sealed | null
  readonly emailHash?: KeyedHash | null
  readonly phoneHash?: KeyedHash | null
}

/** Satisfied as soon as the address is linked, under whatever id. */
export type LinkWallet = { readonly type: 'LinkWallet' } & Wallet

export type UnlinkWallet = { readonly type: 'UnlinkWallet'; readonly walletId: WalletId }

type DeleteCustomer = { readonly type: 'DeleteCustomer' }

export type ForfeitEmail = { readonly type: 'ForfeitEmail'; readonly emailHash: KeyedHash }

export type CustomerCommand =
  | CreateCustomer
  | UpdateCustomer
  | LinkWallet
  | UnlinkWallet
  | DeleteCustomer
  | ForfeitEmail
