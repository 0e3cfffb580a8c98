import { StrKey, type xdr } from '@stellar/stellar-sdk'
import type { AccountId } from '../units.ts'

/** An account, and the id inside its `M…` address where one was used (unsigned decimal text). */
export type Address = { readonly account: AccountId; readonly muxedId: string | null }

const accountId = (ed25519: xdr.Uint256Bytes): AccountId => StrKey.encodeEd25519PublicKey(ed25519.value)

export const accountOf = (key: xdr.PublicKey): AccountId => accountId(key.ed25519)

export const addressOf = (address: xdr.MuxedAccount): Address => {
  switch (address.type) {
    case 'keyTypeEd25519':
      return { account: accountId(address.ed25519), muxedId: null }
    case 'keyTypeMuxedEd25519':
      return { account: accountId(address.med25519.ed25519), muxedId: address.med25519.id.toString() }
  }
}
