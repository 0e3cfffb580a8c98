import type { WalletId } from '../shared/ids.ts'
import type { KeyedHash } from '../shared/sealed.ts'

export type CustomerRejection =
  | { readonly _tag: 'CustomerNotFound' }
  | { readonly _tag: 'CustomerAlreadyExists' }
  | { readonly _tag: 'CustomerIsDeleted' }
  | { readonly _tag: 'WalletIdTaken'; readonly walletId: WalletId }
  | { readonly _tag: 'WalletNotFound'; readonly walletId: WalletId }
  | { readonly _tag: 'EmailStillHeld'; readonly emailHash: KeyedHash }
