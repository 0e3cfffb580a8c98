import { readFileSync } from 'node:fs'
import { xdr } from '@stellar/stellar-sdk'
import { noOffers } from '../exchange/book.ts'
import { newAccount } from '../ledger/accounts.ts'
import { applyTransaction, chargeFee } from '../ledger/apply-transaction.ts'
import { draftOn, type LedgerDraft, type LedgerView } from '../ledger/draft.ts'
import { readStoredEnvelope } from '../ledger/envelope.ts'
import { hexOf, type Network, networkOf, totalCoins } from '../network.ts'
import { changesText, metaChangesText } from './changes-text.ts'
import { conformanceFolder, envelopesIn, passphrases, recordedLedgers } from './recorded.ts'

/** A recorded network without gaps from its second ledger on; its first ledger holds only the root account. */
export type Stream = { readonly name: string; readonly network: Network; readonly ledgers: ReadonlyArray<string> }

/** A difference from stellar-core: ledger, transaction and part. */
export type Difference = { readonly ledger: number; readonly hash: string; readonly in: string }

/** Every complete stream; none where the records are missing. */
export const completeStreams = (): ReadonlyArray<Stream> => {
  const texts = new Map(recordedLedgers().map(({ source, ledger, xdr: text }) => [`${source}#${ledger}`, text]))
  if (texts.size === 0) return []
  const { completeStreams: streams } = JSON.parse(readFileSync(new URL('index.json', conformanceFolder), 'utf8'))
  const known = passphrases()
  return streams.map(({ source, test, ledgers }: { source: string; test: string; ledgers: string[] }) => ({
    name: test,
    network: networkOf(known.get(source.split('/')[0] ?? '') ?? ''),
    ledgers: ledgers.map((key) => texts.get(key) ?? ''),
  }))
}

const emptyLedger: LedgerView = { ...noOffers, find: () => undefined, lastId: () => 0n }

/** The first ledger: the root account holds every coin. */
const firstLedger = ({ root }: Network): LedgerDraft => {
  const draft = draftOn(emptyLedger, { sequence: 1, closeTime: 0n })
  draft.put(xdr.LedgerEntryData.account(newAccount(root.xdrAccountId(), totalCoins, 0)))
  return draft
}

const closeMetaOf = (text: string): xdr.LedgerCloseMetaV2 => {
  const close = xdr.LedgerCloseMeta.fromXdr(text, 'base64')
  if (close.type !== 'v2') throw new Error(`a close meta of form ${close.type}`)
  return close.v2
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const replayLedger = (
  network: Network,
  close: xdr.LedgerCloseMetaV2,
  draft: LedgerDraft,
): ReadonlyArray<Difference> => {
  const { header } = close.ledgerHeader
  const envelopes = envelopesIn(close.txSet).map((each) => readStoredEnvelope(each.toXdr(), network))
  const byHash = new Map(envelopes.map((each) => [hexOf(each.hash), each]))
  const charged = close.txProcessing.map((recorded) => {
    const hash = recorded.result.transactionHash.toString()
    const signed = byHash.get(hash)
    if (signed === undefined) throw new Error(`${hash} is not in its ledger's set`)
    return { hash, signed, recorded, ...chargeFee(signed, draft) }
  })
  const found = charged.flatMap(({ hash, signed, recorded, fee, feeChanges }) => {
    const { result, meta } = applyTransaction(signed, draft, fee, feeChanges)
    const compared = {
      result: result.equals(recorded.result.result),
      fee: isSame(changesText(feeChanges), changesText(recorded.feeProcessing)),
      changes: isSame(metaChangesText(meta), metaChangesText(recorded.txApplyProcessing)),
    }
    return Object.entries(compared).flatMap(([what, agrees]) =>
      agrees ? [] : [{ ledger: header.ledgerSeq, hash, in: what }],
    )
  })
  const isLastId = draft.lastId() === header.idPool
  return isLastId ? found : [...found, { ledger: header.ledgerSeq, hash: '', in: 'last id' }]
}

/**
 * Applies a stream's transactions in the recorded order and compares result, fee, sequence numbers and changed entries.
 * Answers the differences of the first ledger that has any.
 */
export const replay = ({ network, ledgers }: Stream): ReadonlyArray<Difference> => {
  let state: LedgerDraft = firstLedger(network)
  for (const text of ledgers) {
    const close = closeMetaOf(text)
    const { ledgerSeq: sequence, scpValue } = close.ledgerHeader.header
    state = draftOn(state, { sequence, closeTime: scpValue.closeTime })
    const differences = replayLedger(network, close, state)
    if (differences.length > 0) return differences
  }
  return []
}
