import {
  AccountId,
  AccountSequence,
  IntentClass,
  IntentId,
  LedgerSequence,
  LedgerTransaction,
  OperationIndex,
  type RecordedEvent,
  reassigned,
  Stroops,
  TransactionHash,
  UnixMs,
  unixMs,
} from '@quittance/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { decodedBy } from './decode.ts'
import type { ReadModel } from './read-model.ts'

/**
 * A transaction of ours, without its bytes. `outerHash` is that of its newest fee bump, or the one under which a closed
 * ledger lists it; null where that is its own. `fees` are what closed ledgers took, also for fee bumps in vain.
 */
export const LedgerTransactionRow = t.intersection([
  t.strict({
    sourceAccount: AccountId,
    accountSequence: AccountSequence,
    maxTime: UnixMs,
    preparedAfter: LedgerSequence,
    preparedAt: UnixMs,
    class: IntentClass,
    intents: t.readonlyArray(IntentId),
    status: t.keyof({
      prepared: null,
      released: null,
      withdrawn: null,
      succeeded: null,
      failed: null,
      dead: null,
      decided: null,
      closed: null,
    }),
    isRefused: t.boolean,
    outerHash: t.union([t.null, TransactionHash]),
    fees: t.readonlyArray(
      t.strict({ transactionHash: TransactionHash, feeSource: AccountId, feeCharged: Stroops, ledger: LedgerSequence }),
    ),
    updatedAt: UnixMs,
  }),
  /** Of a transaction that the log had lost: the operation of each intent. */
  t.partial({ operations: t.readonlyArray(OperationIndex) }),
])
export type LedgerTransactionRow = t.TypeOf<typeof LedgerTransactionRow>

const decode = decodedBy(LedgerTransaction)
const ownHash = ({ stream }: RecordedEvent): string => stream.slice(LedgerTransaction.category.length + 1)

const fold = (row: O.Option<LedgerTransactionRow>, recorded: RecordedEvent): O.Option<LedgerTransactionRow> => {
  const at = unixMs(recorded.metadata.occurredAt)
  const event = decode(recorded)
  const patch = (change: Partial<LedgerTransactionRow>, fees: LedgerTransactionRow['fees'] = []) =>
    O.map((known: LedgerTransactionRow) => ({
      ...known,
      ...change,
      fees: [...known.fees, ...fees],
      updatedAt: at,
    }))(row)
  switch (event.type) {
    case 'TransactionPrepared': {
      const { envelopeXdr: _, fee: __, feeCap: ___, resourceFee: ____, ...details } = event.data
      return O.some({
        ...details,
        status: 'prepared',
        isRefused: false,
        outerHash: null,
        fees: [],
        updatedAt: at,
      })
    }
    case 'TransactionReleased':
      return patch({ status: 'released' })
    case 'TransactionWithdrawn':
      return patch({ status: 'withdrawn' })
    case 'FeeBumped':
      return patch({ outerHash: event.data.transactionHash })
    case 'FeeBumpFailed':
      return patch({}, [feeOf(event.data)])
    case 'SubmissionRefused':
      return patch({ isRefused: true })
    case 'TransactionSucceeded':
    case 'TransactionFailed': {
      const { transactionHash } = event.data
      const status = event.type === 'TransactionSucceeded' ? 'succeeded' : 'failed'
      const outerHash = transactionHash === ownHash(recorded) ? null : transactionHash
      return patch({ status, outerHash }, [feeOf(event.data)])
    }
    case 'OperationReassigned':
      return O.map((known: LedgerTransactionRow) => ({ ...known, ...reassigned(known, event.data), updatedAt: at }))(
        row,
      )
    case 'TransactionDied':
      return patch({ status: 'dead' })
    case 'TransactionDecided':
      return patch({ status: 'decided' })
    case 'TransactionClosed':
      return patch({ status: 'closed' })
  }
}

type Fee = LedgerTransactionRow['fees'][number]
const feeOf = ({ transactionHash, feeSource, feeCharged, ledger }: Fee): Fee => ({
  transactionHash,
  feeSource,
  feeCharged,
  ledger,
})

/** Due until it is closed. Found by its own hash, which is its id, and by that of its newest fee bump. */
export const ledgerTransactions: ReadModel<LedgerTransactionRow> = {
  name: 'ledger_transactions',
  version: 4,
  category: LedgerTransaction.category,
  row: LedgerTransactionRow,
  fold,
  columns: ({ status, outerHash, preparedAt }) => ({
    status,
    lookupKey: outerHash,
    dueAt: status === 'closed' ? null : preparedAt,
  }),
}
