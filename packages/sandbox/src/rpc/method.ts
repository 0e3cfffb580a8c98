import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { LedgerReader, Sandbox } from '../sandbox-api.ts'

/** A method's result: a JSON object without `undefined` values. */
export type RpcResult = { readonly [key: string]: unknown }

/** A JSON-RPC 2.0 error with the codes of a Stellar RPC node. */
export type RpcError = { readonly code: number; readonly message: string }

/**
 * The context of a call: the ledger as this request sees it, and the URL of friendbot. `loseReply` ends the connection
 * without a response.
 */
export type RpcContext = {
  readonly sandbox: Sandbox
  readonly read: LedgerReader
  readonly friendbotUrl: string
  readonly loseReply: () => void
}

export type RpcMethod = (params: unknown, context: RpcContext) => E.Either<RpcError, RpcResult>

export const invalidRequest = (message: string) => E.left({ code: -32600, message })
export const invalidParams = (message: string) => E.left({ code: -32602, message })

/** A method with named parameters of this shape; absent ones are an empty object. */
export const method =
  <A>(
    codec: t.Decoder<unknown, A>,
    answer: (params: A, context: RpcContext) => E.Either<RpcError, RpcResult>,
  ): RpcMethod =>
  (params, context) => {
    const decoded = codec.decode(params ?? {})
    return E.isLeft(decoded) ? invalidParams('invalid parameters') : answer(decoded.right, context)
  }

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** The range of stored ledgers, with close times as text, part of most responses. */
export const rangeAsText = ({ read }: RpcContext) => {
  const { oldest, latest } = read.range()
  return {
    latestLedger: latest.sequence,
    latestLedgerCloseTime: latest.closeTime.toString(),
    oldestLedger: oldest.sequence,
    oldestLedgerCloseTime: oldest.closeTime.toString(),
  }
}
