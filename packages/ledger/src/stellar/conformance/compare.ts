import * as E from 'fp-ts/lib/Either.js'
import type { ClosedLedger } from '../../gateway.ts'
import type { Movement } from '../../movement.ts'
import { decodeUnboundMeta } from '../close-meta.ts'
import { closedLedger, extractLedger, type UnreadableMeta } from '../extractor.ts'
import { settledTransaction } from '../incoming-payments/settled-transaction.ts'
import { everyone, lineName, type PartOf, provenBy } from './prove.ts'
import {
  FolderUnreadable,
  type KnownChange,
  knownChangesIn,
  ledgersIn,
  type PublishedLedger,
  passphrasesIn,
} from './published.ts'
import { type Witness, witnessOf } from './witness.ts'

/**
 * How our reading of ledgers compares with what is known of them. A line is what a transaction did to one balance:
 * `missing` lines we did not find, `extra` ones nobody knows of, and of `disagreements` both have the line and other
 * amounts. `payments` are incoming payments that a second reading finds with the same kind, parties, asset, amount, memo
 * and operation; `contradictions` are payments, fees, refunds and facts of ledgers that only one of the two readings
 * has. `refused` ledgers have a header that does not cover what they hold: our reading must refuse them.
 */
export type Comparison = {
  readonly ledgers: number
  readonly unreadable: number
  readonly refused: number
  readonly transactions: number
  readonly agreed: number
  readonly missing: number
  readonly extra: number
  readonly disagreements: number
  readonly payments: number
  readonly contradictions: number
}

/** Our reading of a ledger. `readComposed` does not ask whether the header covers what the ledger holds. */
export type LedgerReader = {
  readonly read: (metaXdr: string, networkPassphrase: string) => E.Either<UnreadableMeta, ClosedLedger>
  readonly readComposed: (metaXdr: string, networkPassphrase: string) => ClosedLedger
}

export const productionReader: LedgerReader = {
  read: extractLedger,
  readComposed: (metaXdr, networkPassphrase) =>
    closedLedger(decodeUnboundMeta(metaXdr, networkPassphrase, settledTransaction), networkPassphrase),
}

/** The parts of a change by operation index, in stroops. */
type Parts = ReadonlyMap<number, bigint>

/** What a ledger's operations did to each balance; a balance on which no operation had an effect has no line. */
export const linesOf = (movements: ReadonlyArray<Movement>): ReadonlyMap<string, Parts> => {
  const lines = new Map<string, Map<number, bigint>>()
  for (const { transactionHash, operationIndex, account, assetId, delta } of movements) {
    if (operationIndex === null) continue
    const line = lineName(transactionHash, account, assetId)
    const parts = lines.get(line) ?? new Map<number, bigint>()
    lines.set(line, parts.set(operationIndex, (parts.get(operationIndex) ?? 0n) + delta))
  }
  const effects = [...lines].map(
    ([line, parts]) => [line, new Map([...parts].filter(([, part]) => part !== 0n))] as const,
  )
  return new Map(effects.filter(([, parts]) => parts.size > 0))
}

const sumOf = (parts: Parts): bigint => parts.values().reduce((sum, part) => sum + part, 0n)

const isAgreed = (parts: Parts, { delta, operations }: KnownChange): boolean => {
  const known = Object.entries(operations)
  return (
    sumOf(parts) === BigInt(delta) &&
    parts.size === known.length &&
    known.every(([index, part]) => parts.get(Number(index)) === BigInt(part))
  )
}

/**
 * Reads every ledger of a folder in the format of the public conformance data, all accounts watched, and compares what
 * its operations did to balances with what is known, and each incoming payment, fee and refund with a second reading by
 * the SDK alone. Every difference, and every ledger that cannot be read, is reported to `differs`; a ledger that cannot be
 * read has no lines of ours. Published load tests are put together from several ledgers, so their headers cover other
 * transactions: our reading must refuse them, and they are compared without that check.
 * Errors: throws `FolderUnreadable`, also where a line of the known changes stands twice.
 */
export const compareFolder = async (
  folder: string,
  differs: (text: string) => void,
  reader: LedgerReader = productionReader,
): Promise<Comparison> => {
  const passphrases = await passphrasesIn(folder)
  const all = new Map<string, KnownChange>()
  for await (const change of knownChangesIn(folder)) {
    const { source, ledger, txHash, account, asset } = change
    const line = lineName(source, ledger, txHash, account, asset)
    if (all.has(line)) throw new FolderUnreadable(`${line} is known twice`)
    all.set(line, change)
  }
  const notFound = new Map(all)
  const count = {
    ledgers: 0,
    unreadable: 0,
    refused: 0,
    transactions: 0,
    agreed: 0,
    missing: 0,
    extra: 0,
    disagreements: 0,
    payments: 0,
    contradictions: 0,
  }

  const compareLines = (name: string, ledger: ClosedLedger): void => {
    for (const [each, parts] of linesOf(ledger.movementsOf(everyone))) {
      const line = lineName(name, each)
      const change = all.get(line)
      notFound.delete(line)
      if (change === undefined) count.extra++
      else if (isAgreed(parts, change)) count.agreed++
      else count.disagreements++
      if (change === undefined || !isAgreed(parts, change))
        differs(`${line}: found ${sumOf(parts)}, known ${change?.delta ?? 'nothing'}`)
    }
  }

  /** Throws where a ledger cannot be read. */
  const ledgerIn = (metaXdr: string, networkPassphrase: string, { isBound }: Witness, name: string): ClosedLedger => {
    const read = reader.read(metaXdr, networkPassphrase)
    if (isBound && E.isLeft(read)) throw new Error(read.left.cause)
    if (isBound && E.isRight(read)) return read.right
    if (E.isLeft(read)) count.refused++
    else {
      count.contradictions++
      differs(`${name}: read, though its header does not cover what it holds`)
    }
    return reader.readComposed(metaXdr, networkPassphrase)
  }

  const compare = ({ source, group, ledger: sequence, xdr: metaXdr }: PublishedLedger): void => {
    const networkPassphrase = passphrases.get(group)
    if (networkPassphrase === undefined) throw new Error(`nobody says which network ${group} is of`)
    const name = lineName(source, sequence)
    const witness = witnessOf(metaXdr, networkPassphrase)
    count.transactions += witness.transactions.length
    const ledger = ledgerIn(metaXdr, networkPassphrase, witness, name)
    compareLines(name, ledger)
    const part: PartOf = (hash) => (account, asset, operation) =>
      BigInt(all.get(lineName(name, hash, account, asset))?.operations[operation] ?? 0)
    const { payments, contradictions } = provenBy(witness, ledger, sequence, part)
    count.payments += payments
    count.contradictions += contradictions.length
    for (const contradiction of contradictions) differs(`${name}: ${contradiction}`)
  }
  for await (const published of ledgersIn(folder)) {
    count.ledgers++
    try {
      compare(published)
    } catch (thrown) {
      count.unreadable++
      differs(`${lineName(published.source, published.ledger)} cannot be read: ${thrown}`)
    }
  }
  for (const [line, { delta }] of notFound) differs(`${line}: found nothing, known ${delta}`)
  return { ...count, missing: notFound.size }
}
