import { xdr } from '@stellar/stellar-sdk'

/** The account that stands in the results of operations which have not run: a key of zeros. */
export const noAccount: xdr.PublicKey = xdr.PublicKey.publicKeyTypeEd25519(new Uint8Array(32))
