import type { SqlDatabase } from '@quittance/event-store'
import { Operation, xdr } from '@stellar/stellar-sdk'
import { rootTransaction } from '../faucet/root-transaction.ts'
import { newAccount } from '../ledger/accounts.ts'
import { closeLedger } from '../ledger/close-ledger.ts'
import { draftOn } from '../ledger/draft.ts'
import { totalCoins } from '../network.ts'
import { storeIn } from '../store/index.ts'
import { createTables } from '../store/schema.ts'
import { network, startMs, testPassphrase } from './fixture.ts'

/** Creates a network of the first version: root account and issuers, without market and contracts. */
export const foundBare = (database: SqlDatabase): void => {
  createTables(database)
  const store = storeIn(database)
  database
    .prepare('INSERT INTO sandbox_network (id, passphrase, state_sum) VALUES (1, ?, ?)')
    .run(testPassphrase, new Uint8Array(32))
  const first = { sequence: 1, closeTime: BigInt(startMs / 1_000 - 1) }
  const draft = draftOn(store.entries, first)
  draft.put(xdr.LedgerEntryData.account(newAccount(network.root.xdrAccountId(), totalCoins, 0)))
  closeLedger(network, store, first, [], { draft })
  const second = { sequence: 2, closeTime: BigInt(startMs / 1_000) }
  const issuing = network.issuers.map(({ keypair }) =>
    Operation.createAccount({
      source: network.root.publicKey(),
      destination: keypair.publicKey(),
      startingBalance: '1000',
    }),
  )
  closeLedger(network, store, second, [rootTransaction(network, store.entries, second, issuing, [])])
}
