import type * as t from 'io-ts'
import { data } from '../answer.ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import type { Sent } from '../sent.ts'
import {
  type ChangedSettlement,
  Settlement,
  SignatureRequests,
  type WalletAddress,
  WalletChallenge,
  type WalletProof,
} from '../wire/index.ts'

/** The account that the merchant is paid to, in the environment of the key. */
export const settlementOf = ({ ask }: Connection) => ({
  retrieve: (options?: CallOptions): Promise<Settlement> =>
    ask({ method: 'GET', path: ['settlement'], answer: data(Settlement) }, options),
  /** Changes what the merchant accepts, and the accounts that fund it. */
  update: (body: Sent<typeof ChangedSettlement>, options?: CommandOptions): Promise<Settlement> =>
    ask({ method: 'PUT', path: ['settlement'], body, answer: data(Settlement), isCommand: true }, options),
  /** Asks for a proof that an account is the merchant's own (SEP-10): a transaction that its owner signs, and never sends. */
  requestAccount: (
    body: Sent<typeof WalletAddress>,
    options?: CommandOptions,
  ): Promise<t.TypeOf<typeof WalletChallenge>> =>
    ask(
      { method: 'POST', path: ['settlement', 'account'], body, answer: data(WalletChallenge), isCommand: true },
      options,
    ),
  /** Has the merchant paid at the account of a signed proof. */
  verifyAccount: (body: Sent<typeof WalletProof>, options?: CommandOptions): Promise<Settlement> =>
    ask(
      { method: 'POST', path: ['settlement', 'account', 'verify'], body, answer: data(Settlement), isCommand: true },
      options,
    ),
  /** What waits for a signature of the merchant. */
  signatures: (options?: CallOptions): Promise<SignatureRequests> =>
    ask({ method: 'GET', path: ['settlement', 'signatures'], answer: data(SignatureRequests) }, options),
})
