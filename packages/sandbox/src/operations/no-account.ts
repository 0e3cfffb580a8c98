import { xdr } from '@stellar/stellar-sdk'

/** The all-zero account in results of operations that have not run. */
export const noAccount: xdr.PublicKey = xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32))
