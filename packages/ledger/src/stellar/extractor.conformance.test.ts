import type { AccountId } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Credit } from '../credit.ts'
import { conformanceFiles, conformanceJson, conformanceLines, describeConformance } from '../testing/conformance.ts'
import { decodeCloseMeta } from './close-meta.ts'
import { extractLedger } from './extractor.ts'

type LedgerLine = {
  readonly source: string
  readonly group: string
  readonly ledger: number
  readonly hash: string
  readonly xdr: string
}
type Change = {
  readonly source: string
  readonly ledger: number
  readonly txHash: string
  readonly account: string
  readonly asset: string
  readonly operations: Readonly<Record<string, string>>
}
type Index = { readonly groups: ReadonlyArray<{ readonly group: string; readonly networkPassphrase: string }> }

/** Watches every account there is. */
class Everyone extends Set<AccountId> {
  override has(): boolean {
    return true
  }
}

const key = (...parts: ReadonlyArray<string | number>): string => parts.join(' ')

const creditKeys = (credits: ReadonlyArray<Credit>): ReadonlyArray<string> =>
  credits.map(({ transactionHash, operationIndex, destination, assetId, amount }) =>
    key(transactionHash, operationIndex, destination, assetId, amount.toString()),
  )

/** What a ledger's plain payments and created accounts brought, as the balances alone prove. */
const provenCredits = (
  line: LedgerLine,
  networkPassphrase: string,
  changes: ReadonlyArray<Change>,
): ReadonlyArray<string> => {
  const ways = new Map<string, ReadonlyArray<string>>(
    decodeCloseMeta(line.xdr, networkPassphrase).transactions.map(({ transactionHash, envelope }) => {
      const { tx } = envelope.type === 'envelopeTypeTxFeeBump' ? envelope.value.tx.innerTx.value : envelope.value
      return [transactionHash, tx.operations.map(({ body }) => body.type)]
    }),
  )
  return changes.flatMap(({ txHash, account, asset, operations }) =>
    Object.entries(operations)
      .filter(([, part]) => BigInt(part) > 0n)
      .filter(([index]) => ['payment', 'createAccount'].includes(ways.get(txHash)?.[Number(index)] ?? ''))
      .map(([index, part]) => key(txHash, index, account, asset, part)),
  )
}

describeConformance('reading the ledgers that others published', () => {
  const { groups } = conformanceJson<Index>('ledger-close-meta/index.json')
  const passphrases = new Map(groups.map(({ group, networkPassphrase }) => [group, networkPassphrase]))
  const passphraseOf = ({ group }: LedgerLine): string => passphrases.get(group) ?? 'unknown group'
  const expected = Map.groupBy(conformanceLines<Change>('expected-credits.jsonl.gz'), ({ source, ledger }) =>
    key(source, ledger),
  )

  describe.each(conformanceFiles('ledger-close-meta', '.jsonl.gz'))('%s', (file) => {
    const lines = conformanceLines<LedgerLine>(file)

    it('reads every ledger, with every hash recomputed', () => {
      expect(lines.length).toBeGreaterThan(0)
      const read = lines.map((line) => extractLedger(line.xdr, passphraseOf(line)))
      expect(read.map(E.map(({ sequence, hash }) => key(sequence, hash)))).toEqual(
        lines.map(({ ledger, hash }) => E.right(key(ledger, hash))),
      )
    })

    it('gives exactly the credits of plain payments and created accounts that the balances prove', () => {
      for (const line of lines) {
        const ledger = extractLedger(line.xdr, passphraseOf(line))
        if (E.isLeft(ledger)) throw new Error(ledger.left.cause)
        const proven = provenCredits(line, passphraseOf(line), expected.get(key(line.source, line.ledger)) ?? [])
        expect(creditKeys(ledger.right.creditsTo(new Everyone())).toSorted()).toEqual(proven.toSorted())
      }
    })

    it('refuses every ledger with transactions when it is read for another network', () => {
      for (const line of lines) {
        const { transactions } = decodeCloseMeta(line.xdr, passphraseOf(line))
        const read = extractLedger(line.xdr, 'Another Network')
        expect(E.isLeft(read)).toBe(transactions.length > 0)
      }
    })
  })
})
