import { xdr } from '@stellar/stellar-sdk'
import { sha256 } from '../../network.ts'
import { hostError } from '../host-error.ts'
import { accountAddress } from '../values/sc-values.ts'

/** Who has agreed, and by what: the operation's own signature, or one over a payload of its own. */
export type Credentials =
  | { readonly _tag: 'source'; readonly address: xdr.ScAddress }
  | { readonly _tag: 'signed'; readonly address: xdr.ScAddress; readonly signed: xdr.SorobanAddressCredentials }

/** Signatures handed on to delegates are not part of this ledger: what they would agree to counts as not agreed. */
export const credentialsIn = (
  { credentials }: xdr.SorobanAuthorizationEntry,
  source: xdr.PublicKey,
): Credentials | undefined => {
  switch (credentials.type) {
    case 'sorobanCredentialsSourceAccount':
      return { _tag: 'source', address: accountAddress(source) }
    case 'sorobanCredentialsAddress':
      return { _tag: 'signed', address: credentials.address.address, signed: credentials.address }
    case 'sorobanCredentialsAddressV2':
      return { _tag: 'signed', address: credentials.addressV2.address, signed: credentials.addressV2 }
    case 'sorobanCredentialsAddressWithDelegates':
      return undefined
  }
}

/** What an address signs: for this network, this nonce, until this ledger; in the newer form also for this address. */
export const signaturePayload = (
  { credentials, rootInvocation: invocation }: xdr.SorobanAuthorizationEntry,
  signed: xdr.SorobanAddressCredentials,
  networkId: Uint8Array,
): Uint8Array => {
  const { address, nonce, signatureExpirationLedger } = signed
  const common = { networkId, nonce, signatureExpirationLedger, invocation }
  const preimage =
    credentials.type === 'sorobanCredentialsAddressV2'
      ? xdr.HashIdPreimage.envelopeTypeSorobanAuthorizationWithAddress(
          new xdr.HashIdPreimageSorobanAuthorizationWithAddress({ ...common, address }),
        )
      : xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(new xdr.HashIdPreimageSorobanAuthorization(common))
  return sha256(preimage.toXdr())
}

/** The account whose signature is asked for: contracts that sign for themselves are not part of this ledger. */
export const signerOf = (address: xdr.ScAddress): xdr.PublicKey => {
  if (address.type !== 'scAddressTypeAccount')
    throw hostError('auth', 'invalidAction', 'only accounts can sign in this ledger')
  return address.accountId
}
