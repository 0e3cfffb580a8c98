import * as t from 'io-ts'
import { says } from './codecs.ts'
import { isDeleted, metadataOf, objectOf } from './fields.ts'
import { account, id, oneOf, text } from './values.ts'

const wallet = {
  id: id('cwl_'),
  address: says('The public key.', t.string),
  via: says(
    '`proven` by a signature of its owner, or linked by a `payment`, which proves nothing.',
    oneOf('proven', 'payment'),
  ),
  metadata: metadataOf('wallet'),
  created_at: says('When it was linked.', t.string),
}

/** An account that the customer has proven to own, or from which was paid for a customer whom the merchant had named. */
export const Wallet = t.type(wallet, 'Wallet')

/** A wallet and its customer. */
export const CustomerWallet = t.type(
  { ...wallet, customer_id: says('The customer whose wallet it is.', id('cus_')) },
  'CustomerWallet',
)

/** An address to be proven. */
export const WalletAddress = t.type(
  { address: says('The public key. Addresses with an id inside (`M…`) are none.', account) },
  'WalletAddress',
)

/** A SEP-10 challenge to sign and never to submit, valid for 15 minutes. */
export const WalletChallenge = t.type(
  {
    transaction: says('The envelope in base64 XDR, signed by the service.', t.string),
    network_passphrase: says('The network that its signature is for, as wallets name it.', t.string),
  },
  'WalletChallenge',
)

/** The signed challenge. */
export const WalletProof = t.type(
  { transaction: says('The envelope in base64 XDR, signed by those who may spend from the account.', text(100_000)) },
  'WalletProof',
)

/** That a wallet was unlinked. */
export const DeletedWallet = t.type({ id: id('cwl_'), object: objectOf('wallet'), deleted: isDeleted }, 'DeletedWallet')
