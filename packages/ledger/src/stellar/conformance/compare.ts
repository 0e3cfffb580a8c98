import type { Movement } from '../../movement.ts'
import { decodeUnboundMeta } from '../close-meta.ts'
import { closedLedger } from '../extractor.ts'
import { settledTransaction } from '../incoming-payments/settled-transaction.ts'
import { type KnownChange, knownChangesIn, ledgersIn, type PublishedLedger, passphrasesIn } from './published.ts'

/**
 * How our reading of ledgers compares with what is known of them, line by line: a line is what a transaction did to one
 * balance. `missing` lines we did not find, `extra` ones nobody knows of, and of `disagreements` both have the line and
 * other amounts.
 */
export type Comparison = {
  readonly ledgers: number
  readonly transactions: number
  readonly agreed: number
  readonly missing: number
  readonly extra: number
  readonly disagreements: number
}

/** The parts of a change by operation index, in stroops. */
type Parts = ReadonlyMap<number, bigint>

const everyone = { has: () => true }

const lineName = (...parts: ReadonlyArray<string | number>): string => parts.join(' ')

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
 * its operations did to balances with what is known. Every line that differs, and every ledger that cannot be read, is
 * told to `differs`; a ledger that cannot be read has no lines of ours. The hashes by which a header names its
 * transactions and results are not asked for, since published load tests are put together from several ledgers.
 */
export const compareFolder = async (folder: string, differs: (text: string) => void): Promise<Comparison> => {
  const passphrases = await passphrasesIn(folder)
  const known = new Map<string, KnownChange>()
  for await (const change of knownChangesIn(folder)) {
    const { source, ledger, txHash, account, asset } = change
    known.set(lineName(source, ledger, txHash, account, asset), change)
  }
  const count = { ledgers: 0, transactions: 0, agreed: 0, extra: 0, disagreements: 0 }

  const compare = ({ source, group, ledger, xdr: metaXdr }: PublishedLedger): void => {
    const networkPassphrase = passphrases.get(group)
    if (networkPassphrase === undefined) throw new Error(`nobody says which network ${group} is of`)
    const meta = decodeUnboundMeta(metaXdr, networkPassphrase, settledTransaction)
    const lines = linesOf(closedLedger(meta, networkPassphrase).movementsOf(everyone))
    count.transactions += meta.transactions.length
    for (const [name, parts] of lines) {
      const line = lineName(source, ledger, name)
      const change = known.get(line)
      known.delete(line)
      if (change === undefined) count.extra++
      else if (isAgreed(parts, change)) count.agreed++
      else count.disagreements++
      if (change === undefined || !isAgreed(parts, change))
        differs(`${line}: found ${sumOf(parts)}, known ${change?.delta ?? 'nothing'}`)
    }
  }
  for await (const published of ledgersIn(folder)) {
    count.ledgers++
    try {
      compare(published)
    } catch (thrown) {
      differs(`${lineName(published.source, published.ledger)} cannot be read: ${thrown}`)
    }
  }
  for (const [line, { delta }] of known) differs(`${line}: found nothing, known ${delta}`)
  const { ledgers, transactions, agreed, extra, disagreements } = count
  return { ledgers, transactions, agreed, missing: known.size, extra, disagreements }
}
