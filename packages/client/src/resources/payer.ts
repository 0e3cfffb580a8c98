import * as t from 'io-ts'
import type { CallOptions, Connection } from '../connection.ts'
import { states } from '../event-stream.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  AttachedCustomer,
  PayerAsset,
  type PayerDetails,
  PayerStatus,
  Quote,
  RelayedTransaction,
  TransactionOutcome,
  type TransactionRequest,
  UnsignedTransaction,
} from '../wire/index.ts'

/**
 * Calls open to anyone who has a checkout's id. They send no credential. Changes take no idempotency key here, so the
 * client does not retry them.
 */
export const payerOf = (connection: Connection) => {
  const { ask } = connection
  const read = (id: string, what: string) => ({ method: 'GET', path: ['pay', id, what], isPublic: true }) as const
  const post = (id: string, what: string) => ({ ...read(id, what), method: 'POST' }) as const
  return {
    quote: (id: string, options?: CallOptions): Promise<t.TypeOf<typeof Quote>> =>
      ask({ ...read(id, 'quote'), answer: data(Quote) }, options),
    status: (id: string, options?: CallOptions): Promise<t.TypeOf<typeof PayerStatus>> =>
      ask({ ...read(id, 'status'), answer: data(PayerStatus) }, options),
    /** The current status and each change of it, until it is final or the service ends the stream. */
    follow: (id: string, options?: CallOptions): AsyncIterable<t.TypeOf<typeof PayerStatus>> =>
      states(connection, read(id, 'events'), PayerStatus, options),
    /** Assets that an account could pay with: common ones and those in `asset_ids`. */
    assets: (
      id: string,
      { account, asset_ids }: { readonly account: string; readonly asset_ids?: ReadonlyArray<string> },
      options?: CallOptions,
    ): Promise<ReadonlyArray<t.TypeOf<typeof PayerAsset>>> => {
      const query = { account, asset_ids: asset_ids?.join() }
      return ask({ ...read(id, 'assets'), query, answer: data(t.readonlyArray(PayerAsset)) }, options)
    },
    attachCustomer: (
      id: string,
      body: RequestBody<typeof PayerDetails>,
      options?: CallOptions,
    ): Promise<t.TypeOf<typeof AttachedCustomer>> =>
      ask({ ...post(id, 'customer'), body, answer: data(AttachedCustomer) }, options),
    /** A payment for the wallet to sign; with `add_trustline`, a trustline for the asset asked for. */
    transaction: (
      id: string,
      body: RequestBody<typeof TransactionRequest>,
      options?: CallOptions,
    ): Promise<t.TypeOf<typeof UnsignedTransaction>> =>
      ask({ ...post(id, 'transaction'), body, answer: data(UnsignedTransaction) }, options),
    /** Relays a signed payment. Submitting the same envelope again is safe: it is one transaction. */
    submit: (
      id: string,
      transactionXdr: string,
      options?: CallOptions,
    ): Promise<t.TypeOf<typeof RelayedTransaction>> => {
      const body = { transaction_xdr: transactionXdr }
      return ask({ ...post(id, 'submit'), body, answer: data(RelayedTransaction) }, options)
    },
    /** What became of a submitted transaction. Whether a payment counts, only the status says. */
    outcome: (
      id: string,
      transactionHash: string,
      options?: CallOptions,
    ): Promise<t.TypeOf<typeof TransactionOutcome>> => {
      const query = { transaction_hash: transactionHash }
      return ask({ ...read(id, 'outcome'), query, answer: data(TransactionOutcome) }, options)
    },
  }
}
