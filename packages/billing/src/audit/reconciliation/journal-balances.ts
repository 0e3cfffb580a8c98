import { type AssetId, Intent, type IntentEvent, LedgerTransaction } from '@quittance/domain'
import { decodedBy } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { paidFor } from '../../features/outgoing/paid-for.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import type { Posting } from '../journal/entry.ts'

/** What a merchant's accounts hold of an asset by the journal and by the ledger, in stroops; `difference` is the surplus of the ledger. */
export type JournalBalance = {
  readonly merchantId: string
  readonly assetId: AssetId
  readonly journal: bigint
  /** Moved by a ledger, and recorded without its entry yet: waiting for a rate, or for the end of an intent. */
  readonly underWay: bigint
  readonly ledger: bigint
  readonly difference: bigint
}

type Held = { readonly merchantId: string; readonly assetId: AssetId; readonly amount: bigint }

const keyOf = ({ merchantId, assetId }: Omit<Held, 'amount'>): string => `${merchantId} ${assetId}`

/** Sums of amounts by merchant and asset. Its size follows how many merchants there are. */
export const heldSums = () => {
  const sums = new Map<string, Held>()
  return {
    add: (held: Held): void => {
      sums.set(keyOf(held), { ...held, amount: held.amount + (sums.get(keyOf(held))?.amount ?? 0n) })
    },
    of: (holding: Omit<Held, 'amount'>): bigint => sums.get(keyOf(holding))?.amount ?? 0n,
    all: (): ReadonlyArray<Held> => [...sums.values()],
  }
}

type HeldSums = ReturnType<typeof heldSums>

export const settlementPostings = (merchantId: string, postings: ReadonlyArray<Posting>): ReadonlyArray<Held> =>
  postings.flatMap(({ account, commodity, amount }) =>
    account === 'settlement' && commodity._tag === 'asset' ? [{ merchantId, assetId: commodity.assetId, amount }] : [],
  )

/** Compares the sums of all merchants and assets that either side knows. */
export const compareHeld = (journal: HeldSums, underWay: HeldSums, ledger: HeldSums): ReadonlyArray<JournalBalance> => {
  const known = new Map([...journal.all(), ...underWay.all(), ...ledger.all()].map((held) => [keyOf(held), held]))
  return [...known.values()].map(({ merchantId, assetId }) => {
    const holding = { merchantId, assetId }
    const [booked, moving, held] = [journal.of(holding), underWay.of(holding), ledger.of(holding)]
    return { ...holding, journal: booked, underWay: moving, ledger: held, difference: held - booked - moving }
  })
}

/** The intents that a transaction carries, while the log is read: those whose end came too are forgotten. */
export const attachedIntents = () => {
  const attached = new Map<string, string>()
  return {
    note: (id: string, { type, data }: IntentEvent): void => {
      if (type === 'IntentAttached') attached.set(id, data.transactionHash)
      else if (type !== 'IntentReported') attached.delete(id)
    },
    /** What their transactions have moved, where a ledger is known to hold them. */
    moved: async (
      store: Services['store'],
      through: number,
    ): Promise<E.Either<StoreUnavailable, ReadonlyArray<Held>>> => {
      const moved: Array<Held> = []
      for (const [id, hash] of attached) {
        const transaction = await stateOf(store)(LedgerTransaction, hash)
        if (E.isLeft(transaction)) return transaction
        const success = transaction.right.events.map(decode).find(({ type }) => type === 'TransactionSucceeded')
        if (success?.type !== 'TransactionSucceeded' || success.data.ledger > through) continue
        const intent = await stateOf(store)(Intent, id)
        if (E.isLeft(intent)) return intent
        const { state, events } = intent.right
        const paid = state.status === 'absent' ? null : paidFor(state.details)
        const [first] = events
        if (paid === null || first === undefined) continue
        const { assetId, amount } = paid.action
        moved.push({ merchantId: first.metadata.merchantId, assetId, amount: -amount })
      }
      return E.right(moved)
    },
  }
}

const decode = decodedBy(LedgerTransaction)
