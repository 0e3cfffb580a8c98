import * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing, moment } from '../listing.ts'
import type { RequestBody } from '../request-body.ts'
import { bare, data } from '../response.ts'
import {
  AccessResult,
  type ChangedCustomer,
  Customer,
  CustomerExport,
  CustomerMerge,
  type CustomerMergeRequest,
  DeletedWallet,
  type EnteredCode,
  type HistoryEntry,
  type NewCustomer,
  type NewPortalSession,
  PortalEntry,
  type PortalEntryRequest,
  type PortalProof,
  PortalSession,
  Wallet,
  WalletChallenge,
} from '../wire/index.ts'
import { type HistoryQuery, historyAt } from './history.ts'

export const customersOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(Customer)
  const created = { method: 'POST', path: ['customers'], isCommand: true } as const
  return {
    create: (body: RequestBody<typeof NewCustomer>, options?: CommandOptions): Promise<Customer> =>
      ask({ ...created, body, answer }, options),
    /** Creates up to a hundred customers, all checked before any is written; answers them in the same order. */
    createAll: (
      body: ReadonlyArray<RequestBody<typeof NewCustomer>>,
      options?: CommandOptions,
    ): Promise<ReadonlyArray<Customer>> => ask({ ...created, body, answer: data(t.readonlyArray(Customer)) }, options),
    retrieve: (id: string, options?: CallOptions): Promise<Customer> =>
      ask({ method: 'GET', path: ['customers', id], answer }, options),
    update: (id: string, body: RequestBody<typeof ChangedCustomer>, options?: CommandOptions): Promise<Customer> =>
      ask({ method: 'PUT', path: ['customers', id], body, answer, isCommand: true }, options),
    /** What happened to it and to what belongs to it, oldest first. */
    history: (id: string, query?: HistoryQuery, options?: CallOptions): Listing<HistoryEntry> =>
      historyAt(connection, ['customers', id, 'history'], query, options),
    /** Erases personal data; payment history stays. */
    delete: (id: string, options?: CommandOptions): Promise<null> =>
      ask({ method: 'DELETE', path: ['customers', id], answer: data(t.null), isCommand: true }, options),
    /** Makes a customer and that of `into` one, for ever; `into` remains. */
    merge: (
      id: string,
      body: RequestBody<typeof CustomerMergeRequest>,
      options?: CommandOptions,
    ): Promise<t.TypeOf<typeof CustomerMerge>> =>
      ask(
        { method: 'POST', path: ['customers', id, 'merge'], body, answer: data(CustomerMerge), isCommand: true },
        options,
      ),
    /** Everything that is kept about a customer. */
    export: (id: string, options?: CallOptions): Promise<CustomerExport> =>
      ask({ method: 'GET', path: ['customers', id, 'export'], answer: data(CustomerExport) }, options),
    /** All, or those with an email (one at most) or a phone number, in any spelling that compares as equal. */
    list: (
      { email, phone, ...query }: ListQuery & { readonly email?: string; readonly phone?: string } = {},
      options?: CallOptions,
    ): Listing<Customer> => listing(connection, ['customers'], Customer, query, options, { email, phone }),
    /** Whether and why a customer is entitled to a product, now or at another time. */
    access: (
      id: string,
      productId: string,
      { at }: { readonly at?: string | Date } = {},
      options?: CallOptions,
    ): Promise<AccessResult> => {
      const path = ['customers', id, 'access', productId]
      return ask({ method: 'GET', path, query: { at: moment(at) }, answer: bare(AccessResult) }, options)
    },
    /** A one-time address of the customer portal, valid for five minutes. */
    openPortal: (
      id: string,
      body: RequestBody<typeof NewPortalSession> = {},
      options?: CommandOptions,
    ): Promise<t.TypeOf<typeof PortalSession>> =>
      ask(
        { method: 'POST', path: ['customers', id, 'portal'], body, answer: data(PortalSession), isCommand: true },
        options,
      ),
    /** Requests proof of a wallet that opens the portal of the customer who has proven it: a transaction (SEP-10) to sign. */
    portalChallenge: (address: string, options?: CommandOptions): Promise<t.TypeOf<typeof WalletChallenge>> =>
      ask(
        {
          method: 'POST',
          path: ['portal', 'wallets'],
          body: { address },
          answer: data(WalletChallenge),
          isCommand: true,
        },
        options,
      ),
    /** As `openPortal`, for the customer who has proven the wallet that signed. `transaction` is the envelope in base64 XDR. */
    openPortalByWallet: (
      body: RequestBody<typeof PortalProof>,
      options?: CommandOptions,
    ): Promise<t.TypeOf<typeof PortalSession>> =>
      ask(
        { method: 'POST', path: ['portal', 'wallets', 'verify'], body, answer: data(PortalSession), isCommand: true },
        options,
      ),
    /** Sends a code to the email of a customer, if there is one; the answer is the same otherwise. Takes no key. */
    askForPortalCode: (
      body: RequestBody<typeof PortalEntryRequest>,
      options?: CallOptions,
    ): Promise<t.TypeOf<typeof PortalEntry>> =>
      ask({ method: 'POST', path: ['portal', 'entry'], body, answer: data(PortalEntry), isPublic: true }, options),
    /** As `openPortal`, for the customer who has received the code. Takes no key. */
    openPortalByCode: (
      body: RequestBody<typeof EnteredCode>,
      options?: CallOptions,
    ): Promise<t.TypeOf<typeof PortalSession>> =>
      ask(
        { method: 'POST', path: ['portal', 'entry', 'verify'], body, answer: data(PortalSession), isPublic: true },
        options,
      ),
    wallets: walletsOf(connection),
  }
}

const walletsOf = ({ ask }: Connection) => ({
  /** Requests proof that a customer owns an address: a transaction (SEP-10) to sign and never to submit. */
  challenge: (
    customerId: string,
    address: string,
    options?: CommandOptions,
  ): Promise<t.TypeOf<typeof WalletChallenge>> =>
    ask(
      {
        method: 'POST',
        path: ['customers', customerId, 'wallets'],
        body: { address },
        answer: data(WalletChallenge),
        isCommand: true,
      },
      options,
    ),
  /** Links the address of a signed proof. `transaction` is the envelope in base64 XDR. */
  verify: (customerId: string, transaction: string, options?: CommandOptions): Promise<t.TypeOf<typeof Wallet>> =>
    ask(
      {
        method: 'POST',
        path: ['customers', customerId, 'wallets', 'verify'],
        body: { transaction },
        answer: data(Wallet),
        isCommand: true,
      },
      options,
    ),
  delete: (customerId: string, walletId: string, options?: CommandOptions): Promise<t.TypeOf<typeof DeletedWallet>> =>
    ask(
      {
        method: 'DELETE',
        path: ['customers', customerId, 'wallets', walletId],
        answer: data(DeletedWallet),
        isCommand: true,
      },
      options,
    ),
})
