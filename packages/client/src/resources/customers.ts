import * as t from 'io-ts'
import { bare, data } from '../answer.ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import { type Listing, type ListQuery, listing, moment } from '../listing.ts'
import type { Sent } from '../sent.ts'
import {
  AccessResult,
  type ChangedCustomer,
  Customer,
  DeletedWallet,
  type NewCustomer,
  PortalSession,
  Wallet,
  WalletChallenge,
} from '../wire/index.ts'

export const customersOf = (connection: Connection) => {
  const { ask } = connection
  const answer = data(Customer)
  const created = { method: 'POST', path: ['customers'], isCommand: true } as const
  return {
    create: (body: Sent<typeof NewCustomer>, options?: CommandOptions): Promise<Customer> =>
      ask({ ...created, body, answer }, options),
    /** Up to a hundred, all judged before any is written; answered in the same order. */
    createAll: (
      body: ReadonlyArray<Sent<typeof NewCustomer>>,
      options?: CommandOptions,
    ): Promise<ReadonlyArray<Customer>> => ask({ ...created, body, answer: data(t.readonlyArray(Customer)) }, options),
    retrieve: (id: string, options?: CallOptions): Promise<Customer> =>
      ask({ method: 'GET', path: ['customers', id], answer }, options),
    update: (id: string, body: Sent<typeof ChangedCustomer>, options?: CommandOptions): Promise<Customer> =>
      ask({ method: 'PUT', path: ['customers', id], body, answer, isCommand: true }, options),
    /** Erases personal data; the history of money stays. */
    delete: (id: string, options?: CommandOptions): Promise<null> =>
      ask({ method: 'DELETE', path: ['customers', id], answer: data(t.null), isCommand: true }, options),
    list: (query: ListQuery = {}, options?: CallOptions): Listing<Customer> =>
      listing(connection, ['customers'], Customer, query, options),
    /** Whether a customer is entitled to a product, and by what: now, or at a moment. */
    access: (
      id: string,
      productId: string,
      { at }: { readonly at?: string | Date } = {},
      options?: CallOptions,
    ): Promise<AccessResult> => {
      const path = ['customers', id, 'access', productId]
      return ask({ method: 'GET', path, query: { at: moment(at) }, answer: bare(AccessResult) }, options)
    },
    /** An address for the customer to visit, once, within five minutes. */
    openPortal: (id: string, options?: CommandOptions): Promise<t.TypeOf<typeof PortalSession>> =>
      ask({ method: 'POST', path: ['customers', id, 'portal'], answer: data(PortalSession), isCommand: true }, options),
    wallets: walletsOf(connection),
  }
}

const walletsOf = ({ ask }: Connection) => ({
  /** Asks for a proof that an address is the customer's: a transaction (SEP-10) for its owner to sign, never to send. */
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
