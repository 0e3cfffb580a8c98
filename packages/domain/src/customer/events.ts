import * as t from 'io-ts'
import { AccountId } from '../shared/asset.ts'
import { orNull } from '../shared/branded.ts'
import { fact, facts } from '../shared/fact.ts'
import { WalletId } from '../shared/ids.ts'
import { KeyedHash, Sealed } from '../shared/sealed.ts'
import { strict } from '../shared/strict.ts'

/**
 * What is stored about a person: name, email, phone, image and metadata sealed together, and the keyed hashes by which
 * email and phone are looked up.
 */
export const CustomerRecord = strict(
  { profile: orNull(Sealed), emailHash: orNull(KeyedHash), phoneHash: orNull(KeyedHash) },
  'CustomerRecord',
)
export type CustomerRecord = t.TypeOf<typeof CustomerRecord>

/**
 * A linked wallet. `via`: it paid for a customer whom the merchant had named, or its owner proved it by a signature. Only
 * a proven wallet counts as the customer's own.
 */
export const Wallet = strict(
  {
    walletId: WalletId,
    address: AccountId,
    metadata: orNull(Sealed),
    via: t.keyof({ payment: null, proof: null }),
  },
  'Wallet',
)
export type Wallet = t.TypeOf<typeof Wallet>

/** What happens to a customer, as its stream holds it. */
export const CustomerEvent = facts([
  fact('CustomerCreated', CustomerRecord),
  fact(
    'CustomerUpdated',
    t.exact(t.partial({ profile: orNull(Sealed), emailHash: orNull(KeyedHash), phoneHash: orNull(KeyedHash) })),
  ),
  fact('WalletLinked', Wallet),
  // The owner of a wallet that was linked by a payment has proved it by a signature.
  fact('WalletProven', strict({ walletId: WalletId })),
  fact('WalletUnlinked', strict({ walletId: WalletId })),
  fact('CustomerDeleted', strict({})),
  // A fence: someone else is about to take over this email's reservation, because this customer does not hold the
  // email. A writer that had claimed the email for this customer, and has not written yet, then loses its race by a
  // wrong expected revision. A customer that was absent then stays so for ever; the writer starts over with another id.
  fact('EmailForfeited', strict({ emailHash: KeyedHash })),
])
export type CustomerEvent = t.TypeOf<typeof CustomerEvent>
