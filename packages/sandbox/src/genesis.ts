import type { SqlDatabase } from '@quittance/event-store'
import { Operation, xdr } from '@stellar/stellar-sdk'
import { deployContracts } from './deployment/deploy.ts'
import { keeperCreation } from './deployment/upkeep.ts'
import { rootTransaction } from './faucet/root-transaction.ts'
import { newAccount } from './ledger/accounts.ts'
import { closeLedger } from './ledger/close-ledger.ts'
import { draftOn } from './ledger/draft.ts'
import { marketUpkeep } from './market/upkeep.ts'
import { type Network, totalCoins } from './network.ts'
import { textIn } from './store/columns.ts'
import type { Store } from './store/index.ts'

/** Thrown when a database holds the ledger of another network, with other hashes and keys. */
export class OtherNetwork extends Error {
  constructor(stored: string) {
    super(`this database holds the network "${stored}"`)
  }
}

/** An issuer's initial balance in XLM. */
const issuersBalance = '1000'

/** A new network begins with this many ledgers; the last of them closes no later than now. */
const firstLedgers = 4

/** Closes two ledgers: one in which the root account holds all coins, and one that creates the other accounts. */
const foundNetwork = (network: Network, store: Store, second: number): void => {
  const first = { sequence: 1, closeTime: BigInt(second - firstLedgers + 1) }
  const draft = draftOn(store.entries, first)
  const root = newAccount(network.root.xdrAccountId(), totalCoins, 0)
  draft.put(xdr.LedgerEntryData.account(root))
  closeLedger(network, store, first, [], { draft })

  const next = { sequence: 2, closeTime: first.closeTime + 1n }
  const source = network.root.publicKey()
  const creations = network.issuers.map(({ keypair }) =>
    Operation.createAccount({ source, destination: keypair.publicKey(), startingBalance: issuersBalance }),
  )
  const market = marketUpkeep(network)(store.entries)
  const operations = [...creations, ...keeperCreation(store.entries, network), ...market.operations]
  closeLedger(network, store, next, [rootTransaction(network, store.entries, next, operations, market.signers)])
}

/**
 * Creates the network where the database has none: root account, issuers, market and contract keeper. Deploys missing
 * contracts, also into a network that predates them. `now` in milliseconds since 1970.
 */
export const initializeNetwork = (database: SqlDatabase, network: Network, store: Store, now: number): void =>
  database.transaction(() => {
    const second = Math.floor(now / 1_000)
    const stored = database.prepare('SELECT passphrase FROM sandbox_network').get()
    if (stored !== undefined && textIn(stored, 'passphrase') !== network.passphrase)
      throw new OtherNetwork(textIn(stored, 'passphrase'))
    if (stored === undefined) {
      database
        .prepare('INSERT INTO sandbox_network (id, passphrase, state_sum) VALUES (1, ?, ?)')
        .run(network.passphrase, new Uint8Array(32))
      foundNetwork(network, store, second)
    }
    deployContracts(network, store, stored === undefined ? 0 : second)
  })
