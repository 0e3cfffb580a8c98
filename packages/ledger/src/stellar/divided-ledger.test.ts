import { type AccountId, AssetId, type ContractId } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { rpc, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { named } from '../named.ts'
import { ofProtocol, startNodes } from '../testing/ledger-nodes.ts'
import { type LedgerPieces, ledgerOf, piecesOf, type TransactionPieces, uint32 } from '../testing/ledger-pieces.ts'
import { sequence } from '../testing/ledgers.ts'
import { nobody, payee, payer, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { decodeCloseMeta } from './close-meta.ts'
import { dividedLedger, type ToldTransaction } from './divided-ledger.ts'
import { extractLedger } from './extractor.ts'
import { keyPairFromSeed } from './keys.ts'
import { ledgerFrame } from './opaque-ledger.ts'
import { publicKeyOf } from './strkey.ts'

const native = named(AssetId, 'native')
const other = keyPairFromSeed(new Uint8Array(32).fill(4))
const payeeKey = Buffer.from(publicKeyOf(payee.accountId))

/** A ledger of a newer protocol: a payment to payee, and around it, by its order, two of strangers. */
let pieces: LedgerPieces
/** Which of its transactions pays payee. */
let paid: number
let stranger: number
beforeAll(async () => {
  const network = await startSandbox()
  for (const { secret } of [nobody, other]) right(await network.sandbox.provision(secret)())
  const pay = async (from: typeof payer, destination: AccountId): Promise<void> => {
    const view = right(await network.gateway.accountView(from.accountId, [])())
    const { envelopeXdr } = await network.built({
      ...{ sourceAccount: from.accountId, accountSequence: view?.accountSequence ?? 0n, destination },
      ...{ assetId: native, memoText: `from ${from.accountId.slice(0, 5)}` },
    })
    right(await network.gateway.submit(network.signed(envelopeXdr, from))())
  }
  await pay(payer, payee.accountId)
  await pay(nobody, other.accountId)
  await pay(other, nobody.accountId)
  const closed = network.sandbox.close()
  const node = new rpc.Server(network.url, { allowHttp: true })
  const [raw] = (await node._getLedgers({ startLedger: closed.sequence, pagination: { limit: 1 } })).ledgers
  await network.stop()
  if (raw === undefined) throw new Error('no ledger')
  const known: Array<[string, xdr.TransactionEnvelope]> = []
  decodeCloseMeta(raw.metadataXdr, sandboxPassphrase, ({ transactionHash, envelope }) =>
    known.push([transactionHash, envelope]),
  )
  pieces = piecesOf(ofProtocol(28)(raw), new Map(known))
  paid = pieces.transactions.findIndex(({ envelope }) => envelope.includes(payeeKey))
  stranger = (paid + 2) % 3
})

const changed = (
  index: number,
  change: (transaction: TransactionPieces) => Partial<TransactionPieces>,
): LedgerPieces => {
  const transactions = pieces.transactions.map((each, at) => (at === index ? { ...each, ...change(each) } : each))
  const [before, after] = [pieces.transactions[index], transactions[index]]
  if (before === undefined || after === undefined) throw new Error('no such transaction')
  const at = pieces.set.indexOf(before.envelope)
  const behind = at + before.envelope.length
  const set = Buffer.concat([pieces.set.subarray(0, at), after.envelope, pieces.set.subarray(behind)])
  return { ...pieces, set, transactions }
}
const inUnknownForm = (bytes: Buffer, at = 0): Buffer => {
  const unknown = Buffer.from(bytes)
  unknown.writeUInt32BE(999, at)
  return unknown
}
const transactionOf = (index: number): TransactionPieces => {
  const found = pieces.transactions[index]
  if (found === undefined) throw new Error('no such transaction')
  return found
}

const divide = (
  changedPieces: LedgerPieces,
  tell: (told: Array<ToldTransaction>) => Array<ToldTransaction> = (told) => told,
) => {
  const { metadataXdr, told } = ledgerOf(changedPieces)
  expect(E.isLeft(extractLedger(metadataXdr, sandboxPassphrase))).toBe(true)
  const frame = ledgerFrame(metadataXdr)
  return frame === null ? null : dividedLedger(frame, tell(told), sandboxPassphrase, 'unknown')
}
const names = (ledger: ReturnType<typeof divide>, account: AccountId): string | null | undefined =>
  ledger?.undecoded?.names((id: AccountId | ContractId) => id === account)

/** What the whole ledger brings to payee. */
const received = () => {
  const whole = right(extractLedger(ledgerOf(pieces).metadataXdr, sandboxPassphrase))
  return [whole.incomingPaymentsTo(new Set([payee.accountId])), whole.movementsOf(new Set([payee.accountId]))]
}
const receivedIn = (ledger: ReturnType<typeof divide> | undefined) => [
  ledger?.incomingPaymentsTo(new Set([payee.accountId])),
  ledger?.movementsOf(new Set([payee.accountId])),
]

/** Each part of a stranger's transaction in a form that no decoder knows. */
const parts: ReadonlyArray<[string, (transaction: TransactionPieces) => Partial<TransactionPieces>]> = [
  ['what it has changed', ({ meta }) => ({ meta: inUnknownForm(meta) })],
  ['its result', ({ result }) => ({ result: inUnknownForm(result, 8) })],
  ['its envelope', ({ envelope }) => ({ envelope: inUnknownForm(envelope), hash: Buffer.alloc(32, 7) })],
  ['the changes by its fee', ({ feeChanges }) => ({ feeChanges: inUnknownForm(feeChanges, 4) })],
  ['the changes by the refund of its fee', () => ({ refund: Buffer.concat([uint32(1), uint32(999)]) })],
]

describe('a ledger with a transaction that cannot be decoded', () => {
  it.each(parts)('tells everything else, if %s is in an unknown form', (_, change) => {
    expect(received()[0]).toHaveLength(1)
    const ledger = divide(changed(stranger, change))
    expect(ledger?.undecoded).toMatchObject({
      protocol: 28,
      cause: 'unknown',
      transactions: [expect.stringMatching(/./)],
    })
    expect(receivedIn(ledger)).toEqual(received())
    expect(names(ledger, payee.accountId)).toBeNull()
    expect(names(ledger, payer.accountId)).toBeNull()
    expect(names(ledger, nobody.accountId)).toBe(nobody.accountId)
    expect(names(ledger, other.accountId)).toBe(other.accountId)
  })

  it.each(parts)('shows that it holds something of ours, if %s is in an unknown form', (_, change) => {
    const ledger = divide(changed(paid, change))
    expect(receivedIn(ledger)).toEqual([[], []])
    expect(names(ledger, payee.accountId)).toBe(payee.accountId)
  })

  it('leaves the hash of the header as it is', () => {
    const ledger = divide(changed(stranger, ({ meta }) => ({ meta: inUnknownForm(meta) })))
    const whole = right(extractLedger(ledgerOf(pieces).metadataXdr, sandboxPassphrase))
    expect(ledger).toMatchObject({ hash: whole.hash, previousHash: whole.previousHash, sequence: whole.sequence })
  })

  it.each<[string, (ledger: LedgerPieces) => LedgerPieces]>([
    ['the set of transactions', (ledger) => ({ ...ledger, set: inUnknownForm(ledger.set) })],
    [
      'what follows the transactions',
      (ledger) => ({ ...ledger, tail: inUnknownForm(ledger.tail, ledger.tail.length - 4) }),
    ],
  ])('tells all transactions, if only %s is in an unknown form', (_, change) => {
    const ledger = divide(change(pieces))
    expect(ledger?.undecoded?.transactions).toEqual([])
    expect(receivedIn(ledger)).toEqual(received())
    expect(names(ledger, payee.accountId)).toBeNull()
  })
})

describe('a stranger who sends what cannot be decoded', () => {
  it('cannot have an account of ours overlooked in it, anywhere', () => {
    const extra = Buffer.concat([uint32(12), payeeKey])
    const hidden: ReadonlyArray<(transaction: TransactionPieces) => Partial<TransactionPieces>> = [
      ({ meta }) => ({ meta: Buffer.concat([inUnknownForm(meta), extra]) }),
      ({ result }) => ({ result: Buffer.concat([inUnknownForm(result, 8), extra]) }),
      ({ envelope }) => ({ envelope: Buffer.concat([inUnknownForm(envelope), extra]) }),
      // A copy of an envelope that can be decoded ends where the account begins.
      ({ envelope }) => ({ envelope: Buffer.concat([inUnknownForm(envelope), transactionOf(paid).envelope, extra]) }),
    ]
    for (const change of hidden) expect(names(divide(changed(stranger, change)), payee.accountId)).toBe(payee.accountId)
  })

  it('cannot have it overlooked in a copy of a transaction that was decoded', () => {
    const { envelope } = transactionOf(paid)
    const ledger = divide(
      changed(stranger, (own) => ({ envelope: Buffer.concat([inUnknownForm(own.envelope), envelope]) })),
    )
    expect(receivedIn(ledger)).toEqual(received())
    expect(names(ledger, payee.accountId)).toBe(payee.accountId)
  })

  it('cannot replace the transaction that follows by a copy with other changes', () => {
    const before = pieces.transactions.length - 2
    const next = transactionOf(before + 1)
    const forged = Buffer.concat([uint32(0), next.hash, next.result, next.feeChanges, next.meta, next.refund])
    const ledger = divide(changed(before, ({ meta }) => ({ meta: Buffer.concat([inUnknownForm(meta), forged]) })))
    const expected = divide(changed(before, ({ meta }) => ({ meta: inUnknownForm(meta) })))
    expect(ledger?.undecoded?.transactions).toEqual(expected?.undecoded?.transactions)
    expect(receivedIn(ledger)).toEqual(receivedIn(expected))
  })

  it('stops ingestion, rather than decide where changes in an unknown form end', () => {
    const before = pieces.transactions.length - 2
    const next = transactionOf(before + 1)
    const copy = Buffer.concat([uint32(1), uint32(999), uint32(0), next.hash, next.result])
    expect(divide(changed(before, () => ({ refund: copy })))).toBeNull()
  })
})

describe('a node that tells the transactions of a ledger', () => {
  const unknown = () => changed(stranger, ({ meta }) => ({ meta: inUnknownForm(meta) }))
  const isOurs = ({ envelopeXdr }: ToldTransaction): boolean => Buffer.from(envelopeXdr, 'base64').includes(payeeKey)
  it.each<[string, (told: Array<ToldTransaction>) => Array<ToldTransaction>]>([
    ['leaves one out', (told) => told.filter((each) => !isOurs(each))],
    [
      'leaves one out and numbers the others anew',
      (told) => told.filter((each) => !isOurs(each)).map((each, index) => ({ ...each, applicationOrder: index + 1 })),
    ],
    [
      'tells them in another order',
      (told) => told.map((each, index) => ({ ...each, applicationOrder: 3 - index })).reverse(),
    ],
    [
      'tells another result',
      (told) =>
        told.map((each) =>
          isOurs(each)
            ? { ...each, resultXdr: inUnknownForm(Buffer.from(each.resultXdr, 'base64')).toString('base64') }
            : each,
        ),
    ],
    [
      'tells other changes',
      (told) => told.map((each) => (isOurs(each) ? { ...each, resultMetaXdr: 'AAAAAA==' } : each)),
    ],
    [
      "tells another transaction's envelope",
      (told) => told.map((each) => ({ ...each, envelopeXdr: told[0]?.envelopeXdr ?? '' })),
    ],
    ['tells none', () => []],
  ])('is not believed if it %s', (_, tell) => expect(divide(unknown(), tell)).toBeNull())

  it('has an envelope that it garbles counted as undecoded', () => {
    const garbled = (each: ToldTransaction) => (isOurs(each) ? { ...each, envelopeXdr: 'AAAA' } : each)
    const ledger = divide(unknown(), (told) => told.map(garbled))
    expect(ledger?.undecoded?.transactions).toHaveLength(2)
    expect(names(ledger, payee.accountId)).toBe(payee.accountId)
  })
})

describe('nodes that hold a ledger with a transaction that cannot be decoded', () => {
  const read = async (...ledgers: ReadonlyArray<LedgerPieces>) => {
    const { ledgerSeq: number } = pieces.header
    const raw = ledgers.map((each) => [{ sequence: number, ...ledgerOf(each) }])
    const { gateway, stop, alarms } = await startNodes(raw)
    const found = right(await gateway.readLedgers(sequence(number), 1, null)())
    await stop()
    const [first, twin] = [[...found.ledgers][0], [...(found.twin?.ledgers ?? [])][0]]
    return { node: found.node, first, twin, alarms: alarms.map(({ _tag }) => _tag), through: found.through }
  }
  const unknown = () => changed(stranger, ({ meta }) => ({ meta: inUnknownForm(meta) }))

  it.each([27, 28])('tell its transactions one by one, page by page, in protocol %i', async (ledgerVersion) => {
    const ledger = { ...unknown(), header: new xdr.LedgerHeader({ ...pieces.header, ledgerVersion }) }
    const { first, twin, alarms, through } = await read(ledger, ledger)
    expect([first?.undecoded?.transactions, twin?.undecoded?.transactions]).toEqual(Array(2).fill([expect.anything()]))
    expect([first?.undecoded?.protocol, alarms, through]).toEqual([ledgerVersion, [], pieces.header.ledgerSeq])
    expect(receivedIn(first)).toEqual(received())
  })

  it('give way to one that tells all of it readably, and are set aside', async () => {
    const { node, first, twin, alarms } = await read(unknown(), pieces)
    expect([node, first?.undecoded, twin, alarms]).toEqual(['b', undefined, undefined, ['NodeSetAside']])
  })
})
