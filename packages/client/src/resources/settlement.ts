import type * as t from 'io-ts'
import type { CallOptions, CommandOptions, Connection } from '../connection.ts'
import type { RequestBody } from '../request-body.ts'
import { data } from '../response.ts'
import {
  type ChangedSettlement,
  Settlement,
  SignatureRequests,
  type WalletAddress,
  WalletChallenge,
  type WalletProof,
} from '../wire/index.ts'

/** The account that receives the merchant's payments, in the environment of the key. */
export const settlementOf = ({ ask }: Connection) => ({
  retrieve: (options?: CallOptions): Promise<Settlement> =>
    ask({ method: 'GET', path: ['settlement'], answer: data(Settlement) }, options),
  /** Changes the accepted assets and the funding accounts. */
  update: (body: RequestBody<typeof ChangedSettlement>, options?: CommandOptions): Promise<Settlement> =>
    ask({ method: 'PUT', path: ['settlement'], body, answer: data(Settlement), isCommand: true }, options),
  /** Requests proof that the merchant owns an account (SEP-10): a transaction to sign and never to submit. */
  requestAccount: (
    body: RequestBody<typeof WalletAddress>,
    options?: CommandOptions,
  ): Promise<t.TypeOf<typeof WalletChallenge>> =>
    ask(
      { method: 'POST', path: ['settlement', 'account'], body, answer: data(WalletChallenge), isCommand: true },
      options,
    ),
  /** Makes the account of a signed proof the merchant's. */
  verifyAccount: (body: RequestBody<typeof WalletProof>, options?: CommandOptions): Promise<Settlement> =>
    ask(
      { method: 'POST', path: ['settlement', 'account', 'verify'], body, answer: data(Settlement), isCommand: true },
      options,
    ),
  /** Payments that wait for the merchant's signature. */
  signatures: (options?: CallOptions): Promise<SignatureRequests> =>
    ask({ method: 'GET', path: ['settlement', 'signatures'], answer: data(SignatureRequests) }, options),
})
