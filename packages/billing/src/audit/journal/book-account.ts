import type {
  AccountId,
  Environment,
  FundingEvent,
  LedgerTransactionEvent,
  MerchantEvent,
  OpeningBalance,
  UnixMs,
} from '@quittance/domain'
import { native } from '../../features/book-lines/book-lines.ts'
import { asset, type Booking, type Posting, transfer } from './entry.ts'

/** Books the merchant's own money: what it sent to its account, and what it did there by its own hand. */
export const bookFunding = (id: string, { type, data }: FundingEvent): Booking | null => {
  switch (type) {
    case 'FundingReceived': {
      const { closedAt: at, transactionHash, ledger, assetId, amount } = data
      const postings = transfer('settlement', 'funding', asset(assetId), amount)
      return { kind: 'funding', at, subject: id, transactionHash, ledger, postings }
    }
    case 'OwnMovementBooked': {
      const { closedAt: at, transactionHash, ledger, assetId, amount, direction } = data
      const postings =
        direction === 'gain'
          ? transfer('settlement', 'own', asset(assetId), amount)
          : transfer('own', 'settlement', asset(assetId), amount)
      return { kind: 'own_movement', at, subject: id, transactionHash, ledger, postings }
    }
    case 'FundingAnnounced':
      return null
  }
}

type Fee = { readonly account: AccountId; readonly booking: Booking }

/** What a ledger charged for a transaction of ours, and to which account; null for an event without a fee. */
export const bookFee = ({ type, data }: LedgerTransactionEvent): Fee | null => {
  switch (type) {
    case 'TransactionSucceeded':
    case 'TransactionFailed':
    case 'FeeBumpFailed': {
      const { transactionHash, ledger, closedAt: at, feeSource: account, feeCharged } = data
      const postings = transfer('network_fees', 'settlement', asset(native), feeCharged)
      return {
        account,
        booking: { kind: 'network_fee', at, subject: transactionHash, transactionHash, ledger, postings },
      }
    }
    case 'TransactionPrepared':
    case 'TransactionReleased':
    case 'TransactionWithdrawn':
    case 'FeeBumped':
    case 'SubmissionRefused':
    case 'OperationReassigned':
    case 'TransactionDied':
    case 'TransactionDecided':
    case 'TransactionClosed':
      return null
  }
}

/**
 * Books what an account held when the service began to watch it, and the end of its books where its network was reset. An
 * account that the service made holds `setUpBalance` of the native asset.
 */
export const bookSettlementAccount = (
  event: MerchantEvent,
  environment: Environment,
  setUpBalance: bigint,
  occurredAt: UnixMs,
): Booking | null => {
  if (event.type === 'SettlementAccountSet' && event.data.environment === environment) {
    const { account, custody, opening = [] } = event.data
    const postings =
      custody === 'merchant' ? held(opening, 'opening') : transfer('settlement', 'opening', asset(native), setUpBalance)
    return { kind: 'account_opened', at: occurredAt, subject: account, transactionHash: null, ledger: null, postings }
  }
  if (event.type === 'SettlementBooksClosed' && event.data.environment === environment) {
    const { account, closing, opening, at } = event.data
    const gone = held(closing, 'resets').map((posting) => ({ ...posting, amount: -posting.amount }))
    const postings = [...gone, ...held(opening, 'opening')]
    return { kind: 'books_closed', at, subject: account, transactionHash: null, ledger: null, postings }
  }
  return null
}

const held = (balances: ReadonlyArray<OpeningBalance>, from: 'opening' | 'resets'): ReadonlyArray<Posting> =>
  balances.flatMap(({ assetId, amount }) => transfer('settlement', from, asset(assetId), amount))
