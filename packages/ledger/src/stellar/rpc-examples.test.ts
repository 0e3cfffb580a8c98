import { TransactionHash } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { TransactionBuilder } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { LedgerGateway } from '../gateway.ts'
import { named } from '../named.ts'
import { conformanceJson, describeConformance } from '../testing/conformance.ts'
import { startNode } from '../testing/json-rpc-server.ts'
import { hashOf, sequence } from '../testing/ledgers.ts'
import { readableLedgers, type TellTransactions } from './readable-ledgers.ts'
import { rpcGateway } from './rpc-gateway.ts'

type Example = {
  readonly method: string
  readonly name: string
  readonly params: { readonly transaction?: string; readonly hash?: string }
  readonly result: { readonly ledgers?: ReadonlyArray<{ sequence: number; metadataXdr: string; hash: string }> }
}

const networkPassphrase = 'Test SDF Network ; September 2015'
const health = {
  status: 'healthy',
  latestLedger: 36379,
  latestLedgerCloseTime: '1734033188',
  oldestLedger: 29312,
  oldestLedgerCloseTime: '1733997822',
}

const tellNone: TellTransactions = async () => E.right([])

describe('a ledger that cannot be read', () => {
  it('fails with its number when it comes first', async () =>
    expect(
      await readableLedgers([{ sequence: sequence(7), metadataXdr: 'AAAA' }], networkPassphrase, tellNone),
    ).toEqual(E.left({ _tag: 'LedgerUnreadable', sequence: 7, cause: expect.stringMatching(/./) })))
})

describeConformance('answers printed in the documentation of Stellar RPC', () => {
  const { examples } = conformanceJson<{ readonly examples: ReadonlyArray<Example> }>('rpc-examples.json')
  const example = (name: string): Example => {
    const found = examples.find((each) => each.name === name)
    if (found === undefined) throw new Error(`no example ${name}`)
    return found
  }
  /** Asks a node that gives the printed answer. */
  const asked = async <A>(
    { method, result }: Example,
    question: (gateway: LedgerGateway) => Promise<A>,
  ): Promise<A> => {
    const node = await startNode((call) => ({ result: call.method === method ? result : health }))
    try {
      return await question(rpcGateway({ url: node.url, networkPassphrase, timeoutMs: 60_000 }))
    } finally {
      await node.stop()
    }
  }
  const printedLedgers = example('Successful getLedgers Request').result.ledgers ?? []

  it('the state of a node', async () =>
    expect(await asked(example('Current node health'), (gateway) => gateway.latestLedger()())).toEqual(
      E.right({ sequence: 3730763, closedAt: 1784671485000 }),
    ))
  it('the charged fees', async () =>
    expect(
      await asked(example('Statistics about charged transaction fees.'), (gateway) => gateway.feeStats()()),
    ).toMatchObject(
      E.right({
        classic: { min: 100n, p50: 100n, p95: 100n, p99: 133n, max: 133n },
        contract: { min: 100n, p80: 100n, p90: 200n, max: 200n },
        asOf: 3730870,
      }),
    ))
  it('two ledgers, the second continuing the first', async () => {
    const read = await asked(example('Successful getLedgers Request'), (gateway) =>
      gateway.readLedgers(sequence(36233), 2, null)(),
    )
    if (E.isLeft(read)) throw new Error(read.left._tag)
    const { latest } = read.right
    const ledgers = [...read.right.ledgers]
    expect(ledgers.map(({ sequence: number, hash }) => ({ sequence: number, hash }))).toEqual(
      printedLedgers.map(({ sequence: number, hash }) => ({ sequence: number, hash })),
    )
    expect(ledgers[1]?.previousHash).toBe(ledgers[0]?.hash)
    expect(latest).toEqual({ sequence: 36379, closedAt: 1734033188000 })
  })
  it('an unreadable ledger does not hide a readable one before it', async () => {
    const [first] = printedLedgers
    if (first === undefined) throw new Error('no ledger')
    const raw = [
      { sequence: sequence(36233), metadataXdr: first.metadataXdr },
      { sequence: sequence(36234), metadataXdr: 'AAAA' },
    ]
    const { ledgers, through } = right(await readableLedgers(raw, networkPassphrase, tellNone))
    expect([[...ledgers].length, through]).toEqual([1, 36234])
  })
  it.each<[string, E.Either<object, object>]>([
    ['Pending Transaction', E.right({ _tag: 'Queued', latestLedger: 2553978 })],
    ['Duplicate Transaction', E.right({ _tag: 'Queued', latestLedger: 2553978 })],
    ['Error Transaction', E.left({ _tag: 'BadSequence' })],
    ['Try Again Later Transaction', E.left({ _tag: 'TryAgainLater', latestLedger: 2553978 })],
  ])('a submission: %s', async (name, outcome) => {
    const sent = example(name)
    const transaction = sent.params.transaction ?? ''
    const hash = Buffer.from(TransactionBuilder.fromXdr(transaction, networkPassphrase).hash()).toString('hex')
    const expected = E.map((queued: object) => ({ ...queued, transactionHash: hash }))(outcome)
    expect(await asked(sent, (gateway) => gateway.submit(transaction)())).toEqual(expected)
  })
  it.each([
    ['Successful Transaction', { _tag: 'Succeeded', ledger: 490252, closedAt: 1752721821000 }],
    [
      'Failed Transaction',
      {
        _tag: 'Failed',
        ledger: 337192,
        closedAt: 1751954924000,
        code: 'txFailed',
        operationCodes: ['paymentNoDestination'],
      },
    ],
    [
      'Not Found Transaction',
      {
        _tag: 'NotFound',
        range: {
          oldest: 2538660,
          oldestClosedAt: 1700078913000,
          latest: 2540099,
          latestClosedAt: 1700086455000,
        },
      },
    ],
  ])('a transaction: %s', async (name, lookUp) =>
    expect(await asked(example(name), (gateway) => gateway.lookUp(named(TransactionHash, hashOf(1)))())).toEqual(
      E.right(lookUp),
    ),
  )
})
