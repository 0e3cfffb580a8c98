import type { LedgerSequence } from '@quittance/domain'
import { rpc, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { FeeStatsUnavailable } from '../fee-stats.ts'
import type { LedgerBatch, LedgerGateway, LedgerHead, LedgerUnreachable, ReadFailure } from '../gateway.ts'
import type { SubmitFailure, TransactionLookUp } from '../submission.ts'
import { accountKeys, accountView } from './account-entries.ts'
import { balancesAmong, holdingKey, inBatches } from './balances.ts'
import { type LedgerNode, viewAt } from './nodes/ledger-node.ts'
import { readableLedgers } from './readable-ledgers.ts'
import { resultCodes } from './result-codes.ts'
import {
  ChargedFees,
  Found,
  Health,
  KeyedEntries,
  LedgerEntries,
  Ledgers,
  Network,
  readAnswer,
  Sent,
  Simulated,
} from './rpc-answers.ts'
import { entriesAt, simulationOf } from './simulated.ts'
import { submissionOutcome } from './submission-outcome.ts'
import { transactionHash } from './transaction-hash.ts'

/**
 * A Stellar RPC node and the network it should be of. `timeoutMs` bounds every call. `carry` takes the text of a JSON-RPC
 * request to a node in this process, in the place of HTTP, and brings back its answer; it bounds its calls itself.
 */
export type RpcOptions = {
  readonly url: string
  readonly networkPassphrase: string
  readonly timeoutMs: number
  readonly carry?: (request: string) => Promise<unknown>
}

/** The most ledgers a node gives at once. */
const LARGEST_BATCH = 200

/** JSON-RPC: the node could not read the request, so it did nothing with it. */
const INVALID_PARAMS = -32602

const causeOf = (thrown: unknown): string => (thrown instanceof Error ? String(thrown) : JSON.stringify(thrown))

const unreachable = (thrown: unknown): LedgerUnreachable => ({ _tag: 'LedgerUnreachable', cause: causeOf(thrown) })

/** Asks the node and reads its answer. */
const ask = <A>(question: () => Promise<A>): TE.TaskEither<LedgerUnreachable, A> => TE.tryCatch(question, unreachable)

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

/** Where a node stands: the oldest ledger that it keeps, and the newest. */
type Standing = { readonly oldest: LedgerSequence; readonly head: LedgerHead }

/**
 * The hash of no transaction. A node that is asked for it answers with its range of ledgers and their close times, in every
 * version and in a few bytes; `getLatestLedger` and `getLedgers` bring the whole ledger along.
 */
const UNUSED_HASH = '0'.repeat(64)

const standingIn = (found: TransactionLookUp): E.Either<LedgerUnreachable, Standing> =>
  found._tag === 'NotFound'
    ? E.right({
        oldest: found.range.oldest,
        head: { sequence: found.range.latest, closedAt: found.range.latestClosedAt },
      })
    : E.left({ _tag: 'LedgerUnreachable', cause: 'the node names a transaction that cannot be' })

const isInvalidParams = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === INVALID_PARAMS

const submitFailed = (thrown: unknown): SubmitFailure =>
  isInvalidParams(thrown)
    ? { _tag: 'Refused', code: 'invalidParams', operationCodes: [] }
    : { _tag: 'OutcomeUnknown', cause: causeOf(thrown) }

/**
 * The SDK sends what it read, written anew. Only where that is the same text are these the bytes that were signed; null
 * where it is not, or cannot be read.
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
 * One Stellar RPC node. Whatever it does wrong (silence, nonsense, an error of its own) becomes a failure here, once; a
 * submission whose answer was lost is `OutcomeUnknown`, never "not sent". It is named by its host, since the rest of its
 * address may hold a key.
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

  const lookUp = (hash: string) => ask(async () => lookUpOf(readAnswer(Found, await server._getTransaction(hash))))
  const standing = pipe(
    ask(async () => readAnswer(Health, await server.getHealth())),
    TE.chain(({ oldestLedger, latestLedger, latestLedgerCloseTime }) =>
      latestLedgerCloseTime === undefined
        ? TE.chainEitherK(standingIn)(lookUp(UNUSED_HASH))
        : TE.right({ oldest: oldestLedger, head: { sequence: latestLedger, closedAt: latestLedgerCloseTime } }),
    ),
  )

  const fetchLedgers = (
    from: LedgerSequence,
    limit: number,
    latest: LedgerHead,
  ): TE.TaskEither<ReadFailure, LedgerBatch> =>
    pipe(
      ask(async () => {
        const pagination = { limit: Math.min(limit, LARGEST_BATCH) }
        return readAnswer(Ledgers, await server._getLedgers({ startLedger: from, pagination })).ledgers
      }),
      TE.chainEitherKW((raw) =>
        pipe(
          readableLedgers(raw, networkPassphrase),
          E.map((ledgers) => ({ node: name, ledgers, through: raw.at(-1)?.sequence ?? null, latest, twin: null })),
        ),
      ),
    )

  return {
    name,
    networkPassphrase,
    passphrase: () => ask(async () => readAnswer(Network, await server.getNetwork()).passphrase),
    latestLedger: () => TE.map(({ head }: Standing) => head)(standing),
    readLedgers: (from, limit) =>
      pipe(
        standing,
        TE.chainW(({ oldest, head: latest }): TE.TaskEither<ReadFailure, LedgerBatch> => {
          if (from < oldest) return TE.left({ _tag: 'RangePruned', from, oldest })
          if (from > latest.sequence) return TE.right({ node: name, ledgers: [], through: null, latest, twin: null })
          return fetchLedgers(from, limit, latest)
        }),
      ),
    account: (account, assets) =>
      ask(async () => {
        const answer = readAnswer(LedgerEntries, await server._getLedgerEntries(...accountKeys(account, assets)))
        const entries = (answer.entries ?? []).map((entry) => xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64'))
        return { view: accountView(account, entries), asOf: answer.latestLedger }
      }),
    held: (holdings) =>
      ask(async () => {
        const answer = readAnswer(LedgerEntries, await server._getLedgerEntries(...holdings.map(holdingKey)))
        const entries = (answer.entries ?? []).map((entry) => xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64'))
        return { balances: balancesAmong(entries, holdings, answer.latestLedger), asOf: answer.latestLedger }
      }),
    entries: (keys) =>
      ask(async () => {
        const asked = keys.map((key) => xdr.LedgerKey.fromXdr(key, 'base64'))
        return entriesAt(readAnswer(KeyedEntries, await server._getLedgerEntries(...asked)))
      }),
    simulate: (envelopeXdr) =>
      ask(async () => {
        const transaction = TransactionBuilder.fromXdr(envelopeXdr, networkPassphrase)
        return simulationOf(readAnswer(Simulated, await server._simulateTransaction(transaction)))
      }),
    submit: (envelopeXdr) => {
      const transaction = canonicalTransaction(envelopeXdr, networkPassphrase)
      if (transaction === null) return TE.left({ _tag: 'Refused', code: 'malformedEnvelope', operationCodes: [] })
      const hash = transactionHash(transaction.hash())
      return pipe(
        TE.tryCatch(
          async () => submissionOutcome(hash, readAnswer(Sent, await server._sendTransaction(transaction))),
          submitFailed,
        ),
        TE.chainEitherK(identity),
      )
    },
    feeStats: () =>
      ask(async () => {
        const told = readAnswer(ChargedFees, await server.getFeeStats())
        return { classic: told.inclusionFee, contract: told.sorobanInclusionFee, asOf: told.latestLedger }
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
      pipe(
        node.feeStats(),
        TE.mapLeft(({ cause }): FeeStatsUnavailable => ({ _tag: 'FeeStatsUnavailable', cause })),
      ),
  }
}
