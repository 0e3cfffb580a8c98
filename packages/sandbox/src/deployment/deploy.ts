import { maxTtl } from '../contracts/index.ts'
import { setLives } from '../contracts/lifetimes.ts'
import { rootTransaction } from '../faucet/root-transaction.ts'
import { closeLedger } from '../ledger/close-ledger.ts'
import type { LedgerDraft } from '../ledger/draft.ts'
import { hexOf, type Network } from '../network.ts'
import type { Store } from '../store/index.ts'
import { callTransaction } from './call-transaction.ts'
import { contractsDue, keeperCreation, keptEntries } from './upkeep.ts'

/**
 * Deploys the contracts that the network lacks, also in a database that predates them. Closes one ledger per step, at
 * `now` (in seconds since 1970) or later. What is deployed has the longest life, without rent.
 */
export const deployContracts = (network: Network, store: Store, now: number): void => {
  for (;;) {
    const { latest } = store.ledgers.range()
    const ledger = { sequence: latest.sequence + 1, closeTime: BigInt(Math.max(now, latest.closeTime + 1)) }
    const creation = keeperCreation(store.entries, network)
    const due = creation.length > 0 ? [] : contractsDue(store.entries, network)
    if (creation.length + due.length === 0) return
    const made = creation.length === 0 ? [] : [rootTransaction(network, store.entries, ledger, creation, [])]
    const included = [...made, ...due.map((each) => callTransaction(network, store.entries, ledger, each))]
    const liveUntil = ledger.sequence + maxTtl - 1
    const after = (draft: LedgerDraft) =>
      setLives(
        draft,
        keptEntries(draft, network).map((each) => ({ key: each.toXdr('hex'), liveUntil })),
      )
    closeLedger(network, store, ledger, included, { after })
    const failed = included.find(({ hash }) => store.transactions.find(hexOf(hash))?.succeeded !== true)
    if (failed !== undefined) throw new Error('the sandbox cannot deploy its contracts')
  }
}
