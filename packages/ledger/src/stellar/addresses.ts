import { AccountId } from '@quittance/domain'
import { StrKey, type xdr } from '@stellar/stellar-sdk'
import { named } from '../named.ts'

/** An account, and the id inside its `M…` address where one was used (unsigned decimal text). */
export type Address = { readonly account: AccountId; readonly muxedId: string | null }

export const accountIdOf = ({ value }: xdr.Uint256Bytes): AccountId =>
  named(AccountId, StrKey.encodeEd25519PublicKey(value))

export const accountOf = (key: xdr.PublicKey): AccountId => accountIdOf(key.ed25519)

export const addressOf = (address: xdr.MuxedAccount): Address => {
  switch (address.type) {
    case 'keyTypeEd25519':
      return { account: accountIdOf(address.ed25519), muxedId: null }
    case 'keyTypeMuxedEd25519':
      return { account: accountIdOf(address.med25519.ed25519), muxedId: address.med25519.id.toString() }
  }
}
