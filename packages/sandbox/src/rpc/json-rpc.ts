import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { getEvents } from './event-methods.ts'
import { getLatestLedger, getLedgerEntries, getLedgers } from './ledger-methods.ts'
import type { RpcContext, RpcError, RpcMethod, RpcResult } from './method.ts'
import { getFeeStats, getHealth, getNetwork, getVersionInfo } from './node-methods.ts'
import { simulateTransaction } from './simulation-methods.ts'
import { getTransaction, getTransactions, sendTransaction } from './transaction-methods.ts'

const methods: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries({
    getEvents,
    getFeeStats,
    getHealth,
    getLatestLedger,
    getLedgerEntries,
    getLedgers,
    getNetwork,
    getTransaction,
    getTransactions,
    getVersionInfo,
    sendTransaction,
    simulateTransaction,
  }),
)

const RequestId = t.union([t.string, t.number, t.null])
const Request = t.intersection([
  t.type({ jsonrpc: t.literal('2.0'), method: t.string }),
  t.partial({ id: RequestId, params: t.unknown }),
])

const maxBatch = 100

type JsonRpcResponse = { readonly jsonrpc: '2.0'; readonly id: t.TypeOf<typeof RequestId> } & (
  | { readonly result: RpcResult }
  | { readonly error: RpcError }
)

const failed = (error: RpcError, id: t.TypeOf<typeof RequestId> = null): JsonRpcResponse => ({
  jsonrpc: '2.0',
  id,
  error,
})

const call = (name: string, params: unknown, context: RpcContext): E.Either<RpcError, RpcResult> => {
  const answer = methods.get(name)
  return answer === undefined ? E.left({ code: -32601, message: `no such method "${name}"` }) : answer(params, context)
}

/** The response to one request; undefined for a notification, which has no id. */
const answerOne = (request: unknown, context: RpcContext): JsonRpcResponse | undefined => {
  const decoded = Request.decode(request)
  if (E.isLeft(decoded)) return failed({ code: -32600, message: 'invalid request value' })
  const { id, method, params } = decoded.right
  const outcome = call(method, params, context)
  if (id === undefined) return undefined
  return E.isLeft(outcome) ? failed(outcome.left, id) : { jsonrpc: '2.0', id, result: outcome.right }
}

/**
 * Answers the text of a JSON-RPC 2.0 request, or of a batch of up to 100. Undefined when no request has an id. Every
 * error of the caller becomes an error response.
 */
export const answerText = (
  text: string,
  context: RpcContext,
): JsonRpcResponse | ReadonlyArray<JsonRpcResponse> | undefined => {
  const parsed = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => undefined,
  )
  if (E.isLeft(parsed)) return failed({ code: -32700, message: 'parse error' })
  if (!Array.isArray(parsed.right)) return answerOne(parsed.right, context)
  if (parsed.right.length === 0) return failed({ code: -32600, message: 'empty request batch' })
  if (parsed.right.length > maxBatch) return failed({ code: -32600, message: 'request batch too large' })
  const answers = parsed.right.map((each) => answerOne(each, context)).filter((each) => each !== undefined)
  return answers.length === 0 ? undefined : answers
}
