import { existsSync, readFileSync } from 'node:fs'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { runOperation } from '../ledger/apply-transaction.ts'
import { operationSource } from '../ledger/check-transaction.ts'
import { draftOn, keepIn } from '../ledger/draft.ts'
import { readStoredEnvelope, type SignedTransaction } from '../ledger/envelope.ts'
import { hexOf, type Network, networkOf } from '../network.ts'
import { changesText } from './changes-text.ts'
import { claimsIn } from './claims.ts'
import { conformanceFolder, passphrases, recordedLedgers, viewOf } from './recorded.ts'

/** A transaction of the public network: its envelope, and the results and changes of its operations. */
type PublicTransaction = {
  readonly envelope: xdr.TransactionEnvelope
  readonly result: xdr.TransactionResult
  readonly operations: ReadonlyArray<{ readonly changes: xdr.LedgerEntryChange[] }>
}

const operationsIn = (meta: xdr.TransactionMeta): PublicTransaction['operations'] => {
  if (meta.type === 'v3') return meta.v3.operations
  return meta.type === 'v4' ? meta.v4.operations : []
}

/** The recorded ledger of the public network, of protocol 21. */
const inLedger = (network: Network): ReadonlyArray<PublicTransaction> =>
  recordedLedgers()
    .filter(({ group }) => group === 'mainnet')
    .flatMap(({ xdr: text }) => {
      const close = xdr.LedgerCloseMeta.fromXdr(text, 'base64')
      if (close.type !== 'v1') return []
      const envelopes = close.v1.txSet.v1TxSet.phases.flatMap((phase) =>
        phase.type === 'v0Components' ? phase.v0Components.flatMap((each) => each.txsMaybeDiscountedFee.txs) : [],
      )
      const byHash = new Map(envelopes.map((each) => [hexOf(readStoredEnvelope(each.toXdr(), network).hash), each]))
      return close.v1.txProcessing.flatMap(({ result, txApplyProcessing }) => {
        const envelope = byHash.get(result.transactionHash.toString())
        if (envelope === undefined) return []
        return [{ envelope, result: result.result, operations: operationsIn(txApplyProcessing) }]
      })
    })

/** Fifty transactions of August 2026. */
const single = (): ReadonlyArray<PublicTransaction> => {
  const { transactions } = JSON.parse(readFileSync(new URL('../mainnet-transactions.json', conformanceFolder), 'utf8'))
  return transactions.map((each: { envelopeXdr: string; resultXdr: string; resultMetaXdr: string }) => ({
    envelope: xdr.TransactionEnvelope.fromXdr(each.envelopeXdr, 'base64'),
    result: xdr.TransactionResult.fromXdr(each.resultXdr, 'base64'),
    operations: operationsIn(xdr.TransactionMeta.fromXdr(each.resultMetaXdr, 'base64')),
  }))
}

/** A recorded transaction of offers, payments and paths, to be run on the entries of its own record. */
export type RecordedExchange = PublicTransaction & {
  readonly hash: string
  readonly signed: SignedTransaction
  readonly results: ReadonlyArray<xdr.OperationResult>
}

const exchanges: ReadonlyArray<string> = [
  'payment',
  'manageSellOffer',
  'manageBuyOffer',
  'createPassiveSellOffer',
  'pathPaymentStrictReceive',
  'pathPaymentStrictSend',
]

const resultsIn = ({ result }: xdr.TransactionResult): ReadonlyArray<xdr.OperationResult> => {
  const inner = result.type === 'txFeeBumpInnerSuccess' ? result.innerResultPair.result.result : result
  return inner.type === 'txSuccess' ? inner.results : []
}

const hasPool = (results: ReadonlyArray<xdr.OperationResult>): boolean =>
  results.flatMap((each) => claimsIn(each) ?? []).some(({ type }) => type === 'claimAtomTypeLiquidityPool')

const cameToNothing = (result: xdr.OperationResult): boolean => {
  const value = result.type === 'opInner' && 'value' in result.tr.value ? result.tr.value.value : undefined
  return value instanceof xdr.ManageOfferSuccessResult && value.offer.type === 'manageOfferDeleted'
}

/**
 * The public network's successful exchanges that took only offers; failed ones do not record the books they met. Omits
 * three whose offer came to nothing, since their records lack the source's holdings. None where the records are
 * missing.
 */
export const recordedExchanges = (): ReadonlyArray<RecordedExchange> => {
  if (!existsSync(conformanceFolder)) return []
  const network = networkOf(passphrases().get('mainnet') ?? '')
  return [...inLedger(network), ...single()].flatMap((each) => {
    const signed = readStoredEnvelope(each.envelope.toXdr(), network)
    const results = resultsIn(each.result)
    const isExchange = results.some((result) => claimsIn(result) !== undefined) && !hasPool(results)
    const isKnown = signed.transaction.operations.every(({ body }) => exchanges.includes(body.type))
    const isShown = results.every(
      (result, at) => !cameToNothing(result) || changesText(each.operations[at]?.changes ?? []).length > 0,
    )
    return isExchange && isKnown && isShown ? [{ ...each, hash: hexOf(signed.hash), signed, results }] : []
  })
}

/** Runs the operations in order and compares each with the recorded result and changes. */
export const agrees = ({ signed, results, operations }: RecordedExchange): boolean => {
  const changes = operations.flatMap((each) => each.changes)
  const draft = draftOn(viewOf(changes, signed), { sequence: 0, closeTime: 0n })
  return signed.transaction.operations.every((operation, index) => {
    const source = operationSource(operation, signed)
    const own = draftOn(draft, draft.ledger)
    const place = { account: signed.source, sequence: signed.transaction.seqNum, index }
    const outcome = runOperation(operation, source, own, place)
    const changed = JSON.stringify(changesText(own.changes()))
    keepIn(draft, own)
    const isSameResult = E.isRight(outcome) && results[index]?.equals(outcome.right) === true
    return isSameResult && changed === JSON.stringify(changesText(operations[index]?.changes ?? []))
  })
}
