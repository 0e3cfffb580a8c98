import { rpc, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ToldTransaction } from '../stellar/divided-ledger.ts'
import type { NodeAlarm } from '../stellar/nodes/node-alarm.ts'
import { severalNodes } from '../stellar/nodes/several-nodes.ts'
import { rpcNode } from '../stellar/rpc-gateway.ts'
import { type Call, type NodeBehaviour, startNode } from './json-rpc-server.ts'
import { rebound } from './rebound.ts'
import { sandboxPassphrase, startSandbox } from './sandbox.ts'

/** A ledger as a node tells it, and its transactions one by one where it tells them. */
export type RawLedger = {
  readonly sequence: number
  readonly metadataXdr: string
  readonly told?: ReadonlyArray<ToldTransaction>
}

/**
 * Closed ledgers of a network of its own, from the first on; the last ones bring payee a payment each, with this memo.
 */
export const recordedLedgers = async (payments: number, memoText: string): Promise<ReadonlyArray<RawLedger>> => {
  const network = await startSandbox()
  for (let n = 0; n < payments; n++)
    await network.credited(network.signed((await network.built({ memoText })).envelopeXdr))
  const node = new rpc.Server(network.url, { allowHttp: true })
  const { ledgers } = await node._getLedgers({ startLedger: 1, pagination: { limit: 200 } })
  await network.stop()
  return ledgers.map(({ sequence, metadataXdr }) => ({ sequence, metadataXdr }))
}

const changedMeta =
  (change: (meta: xdr.LedgerCloseMetaV2) => xdr.LedgerCloseMetaV2) =>
  ({ sequence, metadataXdr }: RawLedger): RawLedger => {
    const meta = xdr.LedgerCloseMeta.fromXdr(metadataXdr, 'base64')
    if (meta.type !== 'v2') throw new Error('the sandbox writes version 2')
    return { sequence, metadataXdr: xdr.LedgerCloseMeta.v2(change(meta.v2)).toXdr('base64') }
  }

/** The ledger closed a second later: whole in itself, under another hash. */
export const otherwiseClosed = changedMeta((meta) => {
  const { header } = meta.ledgerHeader
  const scpValue = new xdr.StellarValue({ ...header.scpValue, closeTime: header.scpValue.closeTime + 1n })
  const ledgerHeader = new xdr.LedgerHeaderHistoryEntry({
    ...meta.ledgerHeader,
    header: new xdr.LedgerHeader({ ...header, scpValue }),
  })
  return rebound(new xdr.LedgerCloseMetaV2({ ...meta, ledgerHeader }))
})

/** The same transactions and results under the same header, without what they changed. */
export const withoutChanges = changedMeta(
  (meta) =>
    new xdr.LedgerCloseMetaV2({
      ...meta,
      txProcessing: meta.txProcessing.map((each) => {
        const applied = each.txApplyProcessing
        if (applied.type !== 'v4') throw new Error('the sandbox writes version 4')
        const operations = applied.v4.operations.map(
          (operation) => new xdr.OperationMetaV2({ ...operation, changes: [] }),
        )
        const txApplyProcessing = xdr.TransactionMeta.v4(new xdr.TransactionMetaV4({ ...applied.v4, operations }))
        return new xdr.TransactionResultMetaV1({ ...each, txApplyProcessing })
      }),
    }),
)

/** The same transactions with other results, under the header that names those before. */
export const withResults = (change: (result: xdr.TransactionResult) => xdr.TransactionResult) =>
  changedMeta(
    (meta) =>
      new xdr.LedgerCloseMetaV2({
        ...meta,
        txProcessing: meta.txProcessing.map(
          (each) =>
            new xdr.TransactionResultMetaV1({
              ...each,
              result: new xdr.TransactionResultPair({ ...each.result, result: change(each.result.result) }),
            }),
        ),
      }),
  )

/** The ledger under a header that names what it holds, as if the network had closed it so. */
export const underOtherHeader = changedMeta(rebound)

/** The ledger as a network of this protocol would have closed it. */
export const ofProtocol = (ledgerVersion: number) =>
  changedMeta((meta) => {
    const { header } = meta.ledgerHeader
    const ledgerHeader = new xdr.LedgerHeaderHistoryEntry({
      ...meta.ledgerHeader,
      header: new xdr.LedgerHeader({ ...header, ledgerVersion }),
    })
    return rebound(new xdr.LedgerCloseMetaV2({ ...meta, ledgerHeader }))
  })

/** The changes of each transaction in a form that no decoder knows; all else as it was. */
export const inUnknownForm = ({ sequence, metadataXdr }: RawLedger): RawLedger => {
  const bytes = Buffer.from(metadataXdr, 'base64')
  const meta = xdr.LedgerCloseMeta.fromXdr(bytes)
  if (meta.type !== 'v2') throw new Error('the sandbox writes version 2')
  for (const { txApplyProcessing } of meta.v2.txProcessing)
    bytes.writeUInt32BE(999, bytes.indexOf(txApplyProcessing.toXdr()))
  return { sequence, metadataXdr: bytes.toString('base64') }
}

/** The same header without its transactions. */
export const withoutTransactions = changedMeta((meta) => new xdr.LedgerCloseMetaV2({ ...meta, txProcessing: [] }))

/** What a node shows, to be changed as a test goes on. `mood` replaces every answer, `lies` those to single methods. */
export type Shown = {
  ledgers: ReadonlyArray<RawLedger>
  passphrase: string
  mood: NodeBehaviour | null
  lies: Readonly<Record<string, NodeBehaviour>>
  sends: NodeBehaviour
}

const Range = t.type({ startLedger: t.number, pagination: t.type({ limit: t.number }) })

const Transactions = t.type({
  startLedger: t.union([t.number, t.undefined]),
  pagination: t.type({ limit: t.number, cursor: t.union([t.string, t.undefined]) }),
})

/** Fees as `getFeeStats` tells them, all alike. */
export const feesOf = (fee: string): Readonly<Record<string, string>> => {
  const percentiles = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99].map((percent) => `p${percent}`)
  return Object.fromEntries(['min', 'mode', ...percentiles, 'max'].map((name) => [name, fee]))
}

const closeTimeOf = (sequence: number): string => String(1_000 + sequence)

const answer = ({ ledgers, passphrase, mood, lies, sends }: Shown, { method, params }: Call): NodeBehaviour => {
  if (mood !== null) return mood
  const lie = lies[method]
  if (lie !== undefined) return lie
  const [oldest, latest] = [ledgers[0]?.sequence ?? 1, ledgers.at(-1)?.sequence ?? 1]
  const range = {
    oldestLedger: oldest,
    oldestLedgerCloseTime: closeTimeOf(oldest),
    latestLedger: latest,
    latestLedgerCloseTime: closeTimeOf(latest),
  }
  switch (method) {
    case 'getNetwork':
      return { result: { passphrase } }
    case 'getHealth':
      return { result: { status: 'healthy', ...range } }
    case 'getTransaction':
      return { result: { status: 'NOT_FOUND', ...range } }
    case 'getLedgerEntries':
      return { result: { entries: [], latestLedger: latest } }
    case 'getFeeStats':
      return { result: { inclusionFee: feesOf('100'), sorobanInclusionFee: feesOf('100'), latestLedger: latest } }
    case 'sendTransaction':
      return sends
    case 'getLedgers': {
      const asked = Range.decode(params)
      if (E.isLeft(asked)) return { error: { code: -32602, message: 'no range' } }
      const { startLedger, pagination } = asked.right
      const from = ledgers.filter(({ sequence }) => sequence >= startLedger)
      return { result: { ledgers: from.slice(0, pagination.limit) } }
    }
    case 'getTransactions': {
      const asked = Transactions.decode(params)
      if (E.isLeft(asked)) return { error: { code: -32602, message: 'no range' } }
      const { startLedger, pagination } = asked.right
      const told = ledgers.flatMap((each) => (each.told ?? []).map((one) => ({ ...one, ledger: each.sequence })))
      const from = told.findIndex(({ ledger }) => ledger === startLedger)
      const start = pagination.cursor === undefined ? from : Number(pagination.cursor)
      const transactions = start < 0 ? [] : told.slice(start, start + Math.min(2, pagination.limit))
      return { result: { transactions, cursor: String(start + transactions.length) } }
    }
    default:
      return { error: { code: -32601, message: `no method ${method}` } }
  }
}

/** A gateway over nodes `a`, `b`, … on sockets of their own. `waits` moves the clock by which nodes rest. */
export const startNodes = async (ledgers: ReadonlyArray<ReadonlyArray<RawLedger>>, timeoutMs = 60_000) => {
  const shown = ledgers.map(
    (each): Shown => ({
      ledgers: each,
      passphrase: sandboxPassphrase,
      mood: null,
      lies: {},
      sends: { error: { code: -32603, message: 'internal' } },
    }),
  )
  const nodes = await Promise.all(shown.map((each) => startNode((call) => answer(each, call))))
  const alarms: Array<NodeAlarm> = []
  let nowMs = 0
  const named = nodes.map(({ url }, index) => ({
    ...rpcNode({ url, networkPassphrase: sandboxPassphrase, timeoutMs }),
    name: String.fromCharCode(97 + index),
  }))
  return {
    gateway: severalNodes(
      sandboxPassphrase,
      named,
      (alarm) => alarms.push(alarm),
      () => nowMs,
    ),
    shown,
    alarms,
    /** How often each was asked for this. */
    asked: (method: string) => nodes.map(({ calls }) => calls.filter((call) => call.method === method).length),
    calls: nodes.map(({ calls }) => calls),
    waits: (ms: number): void => {
      nowMs += ms
    },
    stop: async (): Promise<void> => {
      for (const { stop } of nodes) await stop()
    },
  }
}
