import { type Network, quoter } from '@quittance/billing'
import { passphrase } from '@quittance/billing/testing/network'
import {
  AcceptedAsset,
  AccountId,
  ContractId,
  issuerOf,
  LedgerSequence,
  secondMs,
  stroops,
  type UnixMs,
  unixMs,
} from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import type { SqlDatabase } from '@quittance/event-store'
import { type LedgerBatch, type LedgerGateway, type LedgerHead, rpcGateway } from '@quittance/ledger'
import { openSandbox, rpcInProcess } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { movingRates } from './moving-rates.ts'

/**
 * The sandbox's network in a database. Its clock moves and its ledgers close on command. Its node runs in this process,
 * with the same request and response texts that a socket would carry.
 */
export const openNetwork = (database: SqlDatabase, startMs: number) => {
  let wallMs = startMs
  const sandbox = openSandbox({ database, wallClock: () => wallMs, passphrase })
  const respond = rpcInProcess(sandbox)
  const carry = async (request: string): Promise<unknown> => {
    const answer = respond(request)
    if (answer === null) throw new Error('the node does not answer')
    return answer
  }
  const node: LedgerGateway = rpcGateway({
    url: 'http://node.simulation',
    networkPassphrase: passphrase,
    timeoutMs: 1_000,
    carry,
  })
  /** Transactions sent since the last ledger: anybody who runs a node sees them. */
  const sent: Array<string> = []
  const listeners: Array<(envelope: string) => void | Promise<void>> = []
  /** The newest ledger that a late node holds; null while the node is not late. */
  let heldBackAfter: LedgerHead | null = null
  const holdBackAfter = (head: LedgerHead | null): void => {
    heldBackAfter = head
  }
  const gateway: LedgerGateway = {
    ...node,
    readLedgers: (from, limit, after) => async () => {
      const latest = heldBackAfter
      if (latest === null) return node.readLedgers(from, limit, after)()
      if (from > latest.sequence) return E.right({ node: 'late', ledgers: [], through: null, latest, twin: null })
      const read = await node.readLedgers(from, Math.min(limit, latest.sequence - from + 1), after)()
      return E.map((batch: LedgerBatch) => ({ ...batch, latest }))(read)
    },
    submit: (envelope) => async () => {
      sent.push(envelope)
      for (const listen of listeners) await listen(envelope)
      return node.submit(envelope)()
    },
  }
  const assetOf = (code: string): AcceptedAsset => {
    const offered = sandbox.assets().find((each) => each.code === code)
    return decoded(AcceptedAsset, { assetId: offered?.assetId, description: code, pegged: code !== 'XLM' })
  }
  const assets = { usdc: assetOf('USDC'), xlm: assetOf('XLM'), eurc: assetOf('EURC') }
  const contract = decoded(ContractId, sandbox.mandateContract)
  let configured = contract
  const now = (): UnixMs => unixMs(Math.floor(sandbox.clock().now))
  const rates = movingRates()
  /** The network of one process, which caches rates. */
  const seen = (): Network => ({
    gateway,
    ...quoter({
      observe: (pairs, at) =>
        rates.isOut
          ? TE.left({
              _tag: 'RateUnavailable',
              pair: pairs.join(),
              reason: 'SourceUnreachable',
              cause: 'the simulation',
            })
          : rates.observe(pairs, at),
    }),
    paths: null,
    assets: [assets.usdc, assets.xlm, assets.eurc],
    setUpBalance: stroops(100_000_000_000n),
    isInBackups: true,
    // An issuer, who takes its own asset and lumens.
    feeAccount: decoded(AccountId, issuerOf(assets.usdc.assetId)),
    friendbot: null,
    mandateContract: configured,
    provision: (secret) => async () => {
      const provisioned = await sandbox.provision(secret)()
      return E.isLeft(provisioned)
        ? E.left({ _tag: 'ProvisionFailed', reason: provisioned.left.code })
        : E.right(undefined)
    },
  })
  const watchers: Array<(pending: ReadonlyArray<string>) => unknown> = []
  /** The ledger that closed last in this run. */
  let newest: LedgerHead | null = null
  /** Lets time pass, then closes a ledger. */
  const wait = async (ms: number): Promise<void> => {
    wallMs = Math.max(wallMs, now()) + ms
    const pending = sent.splice(0)
    for (const watch of watchers) await watch(pending)
    const { sequence, closeTime } = sandbox.close()
    newest = { sequence: decoded(LedgerSequence, sequence), closedAt: unixMs(closeTime * secondMs) }
  }
  /** Calls `watch` right before each ledger closes, with the transactions that were sent for it. */
  const beforeEachLedger = (watch: (typeof watchers)[number]): void => void watchers.push(watch)
  /** Sends a transaction without the service. */
  const submit: (typeof sandbox)['submit'] = (envelope) => {
    sent.push(envelope)
    return sandbox.submit(envelope)
  }
  /** Calls `listen` with each transaction that a process sends. */
  const whenSent = (listen: (envelope: string) => void | Promise<void>): void => void listeners.push(listen)
  return {
    sandbox,
    gateway,
    rates,
    contract,
    /** The contract of new mandates, for processes that start from now on. */
    configured: (): ContractId => configured,
    configure: (next: ContractId): void => {
      configured = next
    },
    now,
    seen,
    wait,
    submit,
    beforeEachLedger,
    whenSent,
    newest: () => newest,
    holdBackAfter,
    ...assets,
  }
}

export type SimulatedNetwork = ReturnType<typeof openNetwork>
