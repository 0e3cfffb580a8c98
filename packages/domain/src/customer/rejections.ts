import type { WalletId } from '../shared/ids.ts'
import type { KeyedHash } from '../shared/sealed.ts'

/** Why a command about a customer is refused, with the facts that explain it. */
export type CustomerRejection =
  | { readonly _tag: 'CustomerNotFound' }
  | { readonly _tag: 'CustomerAlreadyExists' }
  | { readonly _tag: 'CustomerIsDeleted' }
  /** Its email was forfeited before it came to be: create another. */
  | { readonly _tag: 'CustomerIsAbandoned' }
  | { readonly _tag: 'WalletIdTaken'; readonly walletId: WalletId }
  | { readonly _tag: 'WalletNotFound'; readonly walletId: WalletId }
  /** The email was changed, or forfeited, since the state that the claim is based on was read: claim it anew. */
  | { readonly _tag: 'EmailClaimOutdated' }
  | { readonly _tag: 'EmailStillHeld'; readonly emailHash: KeyedHash }
