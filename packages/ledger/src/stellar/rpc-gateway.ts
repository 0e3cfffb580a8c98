import type { LedgerSequence } from '@quittance/domain'
import { rpc, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { FeeStatsUnavailable } from '../fee-stats.ts'
import { type LedgerGateway, type LedgerHead, type LedgerUnreachable, ledgerUnreachable } from '../gateway.ts'
import { preparedProtocol } from '../protocol.ts'
import type { SubmitFailure, TransactionLookUp } from '../submission.ts'
import { accountKeys, accountView } from './account-entries.ts'
import { balancesAmong, holdingKey, inBatches } from './balances.ts'
import type { ToldTransaction } from './divided-ledger.ts'
import { type LedgerNode, viewAt } from './nodes/ledger-node.ts'
import { readableLedgers, type TellTransactions } from './readable-ledgers.ts'
import { resultCodes } from './result-codes.ts'
import {
  ChargedFees,
  Found,
  Health,
  KeyedEntries,
  LedgerEntries,
  Ledgers,
  Network,
  readResponse,
  Sent,
  Simulated,
  Transactions,
  Versions,
} from './rpc-responses.ts'
import { entriesAt, simulationOf } from './simulated.ts'
import { submissionOutcome } from './submission-outcome.ts'
import { transactionHash } from './transaction-hash.ts'

/**
 * A Stellar RPC node and the network that it should belong to. `timeoutMs` bounds every call. `carry` replaces HTTP: it
 * passes the text of a JSON-RPC request to a node in this process, returns the response, and bounds its calls itself.
 */
export type RpcOptions = {
  readonly url: string
  readonly networkPassphrase: string
  readonly timeoutMs: number
  readonly carry?: (request: string) => Promise<unknown>
}

/** The most ledgers a node gives at once. */
const LARGEST_BATCH = 200

/** JSON-RPC: the node could not read the request, so it did nothing. */
const INVALID_PARAMS = -32602

const causeOf = (thrown: unknown): string => (thrown instanceof Error ? String(thrown) : JSON.stringify(thrown))

const unreachable = (thrown: unknown): LedgerUnreachable => ledgerUnreachable(causeOf(thrown))

/** Sends a request to the node and reads its response. */
const ask = <A>(request: () => Promise<A>): TE.TaskEither<LedgerUnreachable, A> => TE.tryCatch(request, unreachable)

/** The newest ledger that has changed one of the entries; null if the node does not say. */
const newestChange = ({ entries }: LedgerEntries): LedgerSequence | null => {
  let newest: LedgerSequence | null = null
  for (const { lastModifiedLedgerSeq: changedIn } of entries ?? []) {
    if (changedIn === undefined) return null
    if (newest === null || changedIn > newest) newest = changedIn
  }
  return newest
}

const lookUpOf = (found: Found): TransactionLookUp => {
  switch (found.status) {
    case 'SUCCESS':
      return { _tag: 'Succeeded', ledger: found.ledger, closedAt: found.createdAt }
    case 'FAILED':
      return {
        _tag: 'Failed',
        ledger: found.ledger,
        closedAt: found.createdAt,
        ...resultCodes(xdr.TransactionResult.fromXdr(found.resultXdr, 'base64')),
      }
    case 'NOT_FOUND':
      return {
        _tag: 'NotFound',
        range: {
          oldest: found.oldestLedger,
          oldestClosedAt: found.oldestLedgerCloseTime,
          latest: found.latestLedger,
          latestClosedAt: found.latestLedgerCloseTime,
        },
      }
  }
}

/** The oldest ledger that a node keeps, and its newest. */
type KeptRange = { readonly oldest: LedgerSequence; readonly head: LedgerHead }

/**
 * The hash of no transaction. Nodes of every version respond to it with their range of ledgers and their close times,
 * in a few bytes; `getLatestLedger` and `getLedgers` bring the whole ledger along.
 */
const UNUSED_HASH = '0'.repeat(64)

const isInvalidParams = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === INVALID_PARAMS

const submitFailed = (thrown: unknown): SubmitFailure =>
  isInvalidParams(thrown)
    ? { _tag: 'Refused', code: 'invalidParams', operationCodes: [] }
    : { _tag: 'OutcomeUnknown', cause: causeOf(thrown) }

/**
 * The SDK sends what it read, encoded anew. Null where that is not the signed bytes, or where they cannot be read.
 */
const canonicalTransaction = (envelopeXdr: string, networkPassphrase: string) => {
  try {
    const transaction = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
    return transaction.toXdr() === envelopeXdr ? transaction : null
  } catch {
    return null
  }
}

/**
 * One Stellar RPC node. Its faults (silence, nonsense, errors of its own) become failures here, once; a submission
 * whose response was lost is `OutcomeUnknown`, never "not sent". Its name is its host, since the rest of its address
 * may hold a key.
 */
export const rpcNode = ({ url, networkPassphrase, timeoutMs, carry }: RpcOptions): LedgerNode => {
  const name = new URL(url).host
  const server = new rpc.Server(url, { allowHttp: url.startsWith('http://') })
  // The SDK's own `timeout` option is not passed on to the client.
  server.httpClient.defaults.timeout = timeoutMs
  if (carry !== undefined)
    server.httpClient.defaults.adapter = async (config) => {
      const data = await carry(JSON.stringify(config.data))
      return { data, headers: {}, config, status: 200, statusText: 'OK' }
    }

  const lookUp = (hash: string) => ask(async () => lookUpOf(readResponse(Found, await server._getTransaction(hash))))
  const keptRange = async (): Promise<E.Either<LedgerUnreachable, KeptRange>> => {
    const health = await ask(async () => readResponse(Health, await server.getHealth()))()
    if (E.isLeft(health)) return health
    const { oldestLedger, latestLedger, latestLedgerCloseTime } = health.right
    if (latestLedgerCloseTime !== undefined)
      return E.right({ oldest: oldestLedger, head: { sequence: latestLedger, closedAt: latestLedgerCloseTime } })
    const found = await lookUp(UNUSED_HASH)()
    if (E.isLeft(found)) return found
    if (found.right._tag !== 'NotFound')
      return E.left(ledgerUnreachable('the node holds a transaction that cannot exist'))
    const { oldest, latest, latestClosedAt } = found.right.range
    return E.right({ oldest, head: { sequence: latest, closedAt: latestClosedAt } })
  }

  const tellTransactions: TellTransactions = async (sequence, count) => {
    const told: Array<ToldTransaction> = []
    let place: { readonly startLedger: number } | { readonly cursor: string } = { startLedger: sequence }
    while (told.length < count) {
      const limit = Math.min(LARGEST_BATCH, count - told.length)
      const request: rpc.Api.GetTransactionsRequest =
        'cursor' in place ? { pagination: { ...place, limit } } : { ...place, pagination: { limit } }
      const page: E.Either<LedgerUnreachable, Transactions> = await ask(
        async (): Promise<Transactions> => readResponse(Transactions, await server._getTransactions(request)),
      )()
      if (E.isLeft(page)) return page
      const found = page.right.transactions.filter(({ ledger }) => ledger === sequence)
      if (found.length === 0) break
      told.push(...found)
      place = { cursor: page.right.cursor }
    }
    return E.right(told)
  }

  return {
    name,
    networkPassphrase,
    passphrase: () => ask(async () => readResponse(Network, await server.getNetwork()).passphrase),
    protocol: () =>
      ask(async () => {
        const { protocolVersion: current, captiveCoreVersion } = readResponse(Versions, await server.getVersionInfo())
        const { ledgerRetentionWindow: keptLedgers = null } = readResponse(Health, await server.getHealth())
        return { current, prepared: preparedProtocol(captiveCoreVersion ?? ''), keptLedgers }
      }),
    latestLedger: () => async () => {
      const kept = await keptRange()
      return E.isLeft(kept) ? kept : E.right(kept.right.head)
    },
    readLedgers: (from, limit) => async () => {
      const kept = await keptRange()
      if (E.isLeft(kept)) return kept
      const { oldest, head: latest } = kept.right
      if (from < oldest) return E.left({ _tag: 'RangePruned', from, oldest })
      if (from > latest.sequence) return E.right({ node: name, ledgers: [], through: null, latest, twin: null })
      const raw = await ask(async () => {
        const pagination = { limit: Math.min(limit, LARGEST_BATCH) }
        return readResponse(Ledgers, await server._getLedgers({ startLedger: from, pagination })).ledgers
      })()
      if (E.isLeft(raw)) return raw
      const ledgers = await readableLedgers(raw.right, networkPassphrase, tellTransactions)
      if (E.isLeft(ledgers)) return ledgers
      return E.right({ node: name, ...ledgers.right, latest, twin: null })
    },
    account: (account, assets) =>
      ask(async () => {
        const found = readResponse(LedgerEntries, await server._getLedgerEntries(...accountKeys(account, assets)))
        const entries = (found.entries ?? []).map((entry) => xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64'))
        const view = accountView(account, entries)
        const changedIn = newestChange(found)
        return { view: view && { ...view, ...(changedIn === null ? {} : { changedIn }) }, asOf: found.latestLedger }
      }),
    held: (holdings) =>
      ask(async () => {
        const found = readResponse(LedgerEntries, await server._getLedgerEntries(...holdings.map(holdingKey)))
        const entries = (found.entries ?? []).map((entry) => xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64'))
        return { balances: balancesAmong(entries, holdings, found.latestLedger), asOf: found.latestLedger }
      }),
    entries: (keys) =>
      ask(async () => {
        const ledgerKeys = keys.map((key) => xdr.LedgerKey.fromXdr(key, 'base64'))
        return entriesAt(readResponse(KeyedEntries, await server._getLedgerEntries(...ledgerKeys)))
      }),
    simulate: (envelopeXdr) =>
      ask(async () => {
        const transaction = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
        return simulationOf(readResponse(Simulated, await server._simulateTransaction(transaction)))
      }),
    submit: (envelopeXdr) => {
      const transaction = canonicalTransaction(envelopeXdr, networkPassphrase)
      if (transaction === null) return TE.left({ _tag: 'Refused', code: 'malformedEnvelope', operationCodes: [] })
      const hash = transactionHash(transaction.hash())
      return async () => {
        try {
          return submissionOutcome(hash, readResponse(Sent, await server._sendTransaction(transaction)))
        } catch (thrown) {
          return E.left(submitFailed(thrown))
        }
      }
    },
    feeStats: () =>
      ask(async () => {
        const stats = readResponse(ChargedFees, await server.getFeeStats())
        return { classic: stats.inclusionFee, contract: stats.sorobanInclusionFee, asOf: stats.latestLedger }
      }),
    lookUp,
  }
}

/** The ledger behind one node alone. */
export const rpcGateway = (options: RpcOptions): LedgerGateway => {
  const node = rpcNode(options)
  return {
    ...node,
    accountView: (account, assets) => TE.map(viewAt)(node.account(account, assets)),
    balances: inBatches(node.held),
    feeStats: () =>
      TE.mapLeft(({ cause }: LedgerUnreachable): FeeStatsUnavailable => ({ _tag: 'FeeStatsUnavailable', cause }))(
        node.feeStats(),
      ),
  }
}
