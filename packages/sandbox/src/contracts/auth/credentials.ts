import { xdr } from '@stellar/stellar-sdk'
import { sha256 } from '../../network.ts'
import { hostError } from '../host-error.ts'
import { accountAddress } from '../values/sc-values.ts'

/** The address that authorizes a call: by the transaction's own signature, or by a separate signed payload. */
export type Credentials =
  | { readonly _tag: 'source'; readonly address: xdr.ScAddress }
  | { readonly _tag: 'signed'; readonly address: xdr.ScAddress; readonly signed: xdr.SorobanAddressCredentials }

/** Undefined for delegated signatures, which this ledger does not support. */
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

/**
 * The payload that an address signs: it names the network, nonce and expiry ledger; the newer form also names the
 * address.
 */
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

/** The account that must sign; this ledger does not support contracts that sign for themselves. */
export const signerOf = (address: xdr.ScAddress): xdr.PublicKey => {
  if (address.type !== 'scAddressTypeAccount')
    throw hostError('auth', 'invalidAction', 'only accounts can sign in this ledger')
  return address.accountId
}
