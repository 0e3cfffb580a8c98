import * as t from 'io-ts'
import { says } from './codecs.ts'
import { metadataOf } from './fields.ts'
import { account, id, text } from './values.ts'

const wallet = {
  id: id('cwl_'),
  address: says('The public key.', t.string),
  metadata: metadataOf('wallet'),
  created_at: says('When it was linked.', t.string),
}

/** A ledger account from which a customer has paid, or of which it was proven to be the owner's. */
export const Wallet = t.type(wallet, 'Wallet')

/** A wallet with the customer who has it. */
export const CustomerWallet = t.type({ ...wallet, customer_id: id('cus_') }, 'CustomerWallet')

/** An address whose owner is asked for a proof. */
export const WalletAddress = t.type(
  { address: says('The public key. Addresses with an id inside (`M…`) are none.', account) },
  'WalletAddress',
)

/** What its owner signs, and never sends: a SEP-10 challenge, good for 15 minutes. */
export const WalletChallenge = t.type(
  {
    transaction: says('The envelope in base64 XDR, signed by the service.', t.string),
    network_passphrase: t.string,
  },
  'WalletChallenge',
)

/** The challenge, signed. */
export const WalletProof = t.type(
  { transaction: says('The envelope in base64 XDR, signed by those who may spend from the account.', text(100_000)) },
  'WalletProof',
)

export const DeletedWallet = t.type(
  { id: id('cwl_'), object: t.literal('wallet'), deleted: t.literal(true) },
  'DeletedWallet',
)
