import type { SqlDatabase } from '@quittance/event-store'
import { Operation, xdr } from '@stellar/stellar-sdk'
import { rootTransaction } from './faucet/root-transaction.ts'
import { newAccount } from './ledger/accounts.ts'
import { closeLedger } from './ledger/close-ledger.ts'
import { draftOn } from './ledger/draft.ts'
import { marketUpkeep } from './market/upkeep.ts'
import { type Network, totalCoins } from './network.ts'
import { textIn } from './store/columns.ts'
import type { Store } from './store/index.ts'

/** Thrown when a database holds the ledger of another network: its hashes and keys would not be ours. */
export class OtherNetwork extends Error {
  constructor(stored: string) {
    super(`this database holds the network "${stored}"`)
  }
}

/** What an issuer starts with, in XLM. */
const issuersBalance = '1000'

/**
 * Where there is no ledger yet, closes the first two: one in which the root account holds every coin, and one in which
 * it creates the issuers' accounts and the market. `now` in milliseconds since 1970.
 */
export const layFoundation = (database: SqlDatabase, network: Network, store: Store, now: number): void =>
  database.transaction(() => {
    const stored = database.prepare('SELECT passphrase FROM sandbox_network').get()
    if (stored !== undefined) {
      if (textIn(stored, 'passphrase') !== network.passphrase) throw new OtherNetwork(textIn(stored, 'passphrase'))
      return
    }
    database
      .prepare('INSERT INTO sandbox_network (id, passphrase, state_sum) VALUES (1, ?, ?)')
      .run(network.passphrase, new Uint8Array(32))
    const second = Math.floor(now / 1_000)
    const first = { sequence: 1, closeTime: BigInt(second - 1) }
    const draft = draftOn(store.entries, first)
    const root = newAccount(network.root.xdrAccountId(), totalCoins, 0)
    draft.put(xdr.LedgerEntryData.account(root))
    closeLedger(network, store, first, [], draft)

    const next = { sequence: 2, closeTime: BigInt(second) }
    const source = network.root.publicKey()
    const creations = network.issuers.map(({ keypair }) =>
      Operation.createAccount({ source, destination: keypair.publicKey(), startingBalance: issuersBalance }),
    )
    const market = marketUpkeep(network)(store.entries)
    const operations = [...creations, ...market.operations]
    closeLedger(network, store, next, [rootTransaction(network, store.entries, next, operations, market.signers)])
  })
