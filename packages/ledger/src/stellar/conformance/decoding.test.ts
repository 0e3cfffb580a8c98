import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { unixMs } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import { decode, encode, initSync } from '@stellar/stellar-xdr-json'
import { conformanceFiles, conformanceJson, conformanceLines, describeConformance } from '../../testing/conformance.ts'
import { sequence } from '../../testing/ledgers.ts'
import { metaParts } from '../applied-transaction.ts'
import { accountNames } from '../incoming-payments/balance-changes.ts'
import { movementsOf } from '../incoming-payments/movements.ts'
import { settledTransaction } from '../incoming-payments/settled-transaction.ts'
import { assetContracts } from '../incoming-payments/token-events.ts'
import { networkId, transactionHashes } from '../transaction-hash.ts'
import { linesOf } from './compare.ts'
import type { KnownChange, PublishedLedger } from './published.ts'

const wasm = createRequire(import.meta.url).resolve('@stellar/stellar-xdr-json/stellar_xdr_json_bg.wasm')

/** It calls `type_` what SEP-51 calls `type`. */
const underItsName = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('type_' in value)) return value
  const { type_: type, ...others } = value
  return { ...others, type }
}

/** A value in the JSON of SEP-51, as another implementation reads it; null where it cannot. */
const asOthersRead = (type: string, text: string): unknown => {
  try {
    return JSON.parse(decode(type, text), underItsName)
  } catch {
    return null
  }
}

/** The same value as another implementation writes it; null where it cannot. */
const asOthersWrite = (type: string, text: string): string | null => {
  try {
    return encode(type, decode(type, text))
  } catch {
    return null
  }
}

/** What the other implementation, of protocol 27, cannot read: a value of protocol 28. */
const unreadForOthers = ['InvokeHostFunctionTests/9de1ea718b77ffa2.xdr#13']
/** What it cannot write either: a value that is nested too deeply for it. */
const unwrittenByOthers = [...unreadForOthers, 'InvokeHostFunctionTests/63050b4296b7bd70.xdr#305']

const nameOf = ({ source, ledger }: PublishedLedger): string => `${source}#${ledger}`

type MainnetTransactions = {
  readonly networkPassphrase: string
  readonly transactions: ReadonlyArray<{
    readonly txHash: string
    readonly envelopeXdr: string
    readonly resultXdr: string
    readonly resultMetaXdr: string
    readonly balanceChanges: ReadonlyArray<Pick<KnownChange, 'account' | 'asset' | 'operations'>>
  }>
}

describeConformance('decoding what others published', () => {
  beforeAll(() => {
    initSync(readFileSync(wasm))
  })

  it.each(conformanceFiles('ledger-close-meta', '.jsonl.gz'))('agrees with another implementation about %s', (file) => {
    const unread: Array<string> = []
    const unwritten: Array<string> = []
    for (const line of conformanceLines<PublishedLedger>(file)) {
      const meta = xdr.LedgerCloseMeta.fromXdr(line.xdr, 'base64')
      expect(meta.toXdr('base64')).toBe(line.xdr)
      const read = asOthersRead('LedgerCloseMeta', line.xdr)
      if (read === null) unread.push(nameOf(line))
      else expect(meta.toJson()).toEqual(read)
      const written = asOthersWrite('LedgerCloseMeta', line.xdr)
      if (written === null) unwritten.push(nameOf(line))
      else expect(written).toBe(line.xdr)
    }
    const inFile = (name: string): boolean => file.endsWith(`${name.slice(0, name.indexOf('/'))}.jsonl.gz`)
    expect(unread.toSorted()).toEqual(unreadForOthers.filter(inFile).toSorted())
    expect(unwritten.toSorted()).toEqual(unwrittenByOthers.filter(inFile).toSorted())
  })

  describe('as transactions of mainnet', () => {
    const { networkPassphrase, transactions } = conformanceJson<MainnetTransactions>('mainnet-transactions.json')

    it('agrees with another implementation, and encodes them to the same bytes', () => {
      expect(transactions.length).toBe(50)
      for (const { envelopeXdr, resultXdr, resultMetaXdr } of transactions) {
        const values: ReadonlyArray<readonly [string, string, { toXdr(form: 'base64'): string; toJson(): unknown }]> = [
          ['TransactionEnvelope', envelopeXdr, xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')],
          ['TransactionResult', resultXdr, xdr.TransactionResult.fromXdr(resultXdr, 'base64')],
          ['TransactionMeta', resultMetaXdr, xdr.TransactionMeta.fromXdr(resultMetaXdr, 'base64')],
        ]
        for (const [type, text, value] of values) {
          expect(value.toXdr('base64')).toBe(text)
          expect(value.toJson()).toEqual(asOthersRead(type, text))
          expect(asOthersWrite(type, text)).toBe(text)
        }
      }
    })

    it('recomputes every hash, and finds every balance change and no other', () => {
      const contracts = assetContracts(networkPassphrase)
      const ledger = { sequence: sequence(1), closedAt: unixMs(0), nameOf: accountNames(), contracts }
      for (const { txHash, envelopeXdr, resultXdr, resultMetaXdr, balanceChanges } of transactions) {
        const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
        const hashes = transactionHashes(networkId(networkPassphrase), envelope)
        expect(hashes.transactionHash).toBe(txHash)
        const result = xdr.TransactionResult.fromXdr(resultXdr, 'base64')
        const applied = metaParts(xdr.TransactionMeta.fromXdr(resultMetaXdr, 'base64'))
        const settled = settledTransaction({ ...hashes, envelope, result, feeChanges: [], ...applied })
        const lines = linesOf(movementsOf(settled, ledger, () => true))
        const found = [...lines].map(([line, parts]) => [line, Object.fromEntries(parts.entries())])
        const known = balanceChanges.map(({ account, asset, operations }) => [
          `${txHash} ${account} ${asset}`,
          Object.fromEntries(Object.entries(operations).map(([index, part]) => [index, BigInt(part)])),
        ])
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known))
      }
    })
  })
})
