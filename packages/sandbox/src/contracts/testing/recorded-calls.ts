import { Asset, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { noOffers } from '../../exchange/book.ts'
import { newAccount } from '../../ledger/accounts.ts'
import { operationSource } from '../../ledger/check-transaction.ts'
import { draftOn, type LedgerDraft, type LedgerView } from '../../ledger/draft.ts'
import { dataOf, type EntryKey, keyOf } from '../../ledger/entry-keys.ts'
import { readEnvelope, type SignedTransaction } from '../../ledger/envelope.ts'
import { hexOf, type Network, networkOf } from '../../network.ts'
import { passphrases, recordedLedgers } from '../../testing/recorded.ts'
import { instanceKey } from '../contract-entries.ts'
import { contractIdOf } from '../deploy.ts'
import type { Invocation } from '../invocation.ts'
import { invoke } from '../invoke.ts'

/** A token call that stellar-core has applied, with its outcome there. */
export type RecordedCall = {
  readonly place: string
  readonly name: string
  readonly invocation: Invocation
  readonly changes: ReadonlyArray<xdr.LedgerEntryChange>
  readonly events: ReadonlyArray<xdr.ContractEvent>
  readonly returnValue: xdr.ScVal | null
}

const envelopesIn = (set: xdr.GeneralizedTransactionSet): ReadonlyArray<xdr.TransactionEnvelope> =>
  set.v1TxSet.phases.flatMap((phase) =>
    phase.type === 'v0Components'
      ? phase.v0Components.flatMap((each) => each.txsMaybeDiscountedFee.txs)
      : phase.parallelTxsComponent.executionStages.flat(2),
  )

/** The entries before the call, read from its own record. Accounts that are only read appear in no change. */
const viewOf = (changes: ReadonlyArray<xdr.LedgerEntryChange>, { readOnly }: xdr.LedgerFootprint): LedgerView => {
  const entries = new Map<EntryKey, xdr.LedgerEntry | undefined>()
  const isBefore = ({ type }: xdr.LedgerEntryChange) => type === 'ledgerEntryState' || type === 'ledgerEntryCreated'
  for (const change of changes.filter(isBefore)) {
    if (change.type === 'ledgerEntryRemoved') continue
    const key = keyOf(dataOf(change.value))
    if (!entries.has(key)) entries.set(key, change.type === 'ledgerEntryState' ? change.value : undefined)
  }
  for (const key of readOnly) {
    if (key.type !== 'account') continue
    const data = xdr.LedgerEntryData.account(newAccount(key.account.accountId, 0n, 0))
    const ext = xdr.LedgerEntryExt.v0()
    const hex = key.toXdr('hex')
    if (!entries.has(hex)) entries.set(hex, new xdr.LedgerEntry({ lastModifiedLedgerSeq: 0, data, ext }))
  }
  return { ...noOffers, find: (key) => entries.get(key), lastId: () => 0n }
}

/** The asset named in the last topic of its events. */
const assetNamed = (name: xdr.ScVal | undefined): ReadonlyArray<xdr.Asset> => {
  const [code, issuer] = name?.type === 'scvString' ? name.str.toString().split(':') : []
  return code === undefined || issuer === undefined ? [] : [new Asset(code, issuer).toXdrObject()]
}

const assetsIn = (
  { readOnly, readWrite }: xdr.LedgerFootprint,
  events: ReadonlyArray<xdr.ContractEvent>,
): ReadonlyArray<xdr.Asset> => [
  xdr.Asset.assetTypeNative(),
  ...events.flatMap(({ body }) => assetNamed(body.v0.topics.at(-1))),
  ...[...readOnly, ...readWrite].flatMap((key) => {
    const asset = key.type === 'trustline' ? key.trustLine.asset : undefined
    return asset === undefined || asset.type === 'assetTypePoolShare' ? [] : [asset]
  }),
]

/** Deploys the called token, if it is that of one of these assets. */
const isTokenPut = (
  network: Network,
  draft: LedgerDraft,
  called: xdr.ContractId,
  assets: ReadonlyArray<xdr.Asset>,
): boolean => {
  const preimages = assets.map((asset) => xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset))
  const preimage = preimages.find((each) => contractIdOf(network.id, each).equals(called))
  if (preimage === undefined) return false
  if (draft.find(instanceKey(called)) !== undefined) return true
  const executable = xdr.ContractExecutable.contractExecutableStellarAsset()
  const create = new xdr.CreateContractArgs({ contractIdPreimage: preimage, executable })
  const call = xdr.HostFunction.hostFunctionTypeCreateContract(create)
  const source = network.root.xdrAccountId()
  return E.isRight(invoke({ call, source, draft, network, mode: { _tag: 'record' } }).result)
}

const isOfTokens = (
  call: xdr.HostFunction,
  network: Network,
  draft: LedgerDraft,
  assets: ReadonlyArray<xdr.Asset>,
): boolean => {
  if (call.type === 'hostFunctionTypeCreateContract')
    return call.createContract.contractIdPreimage.type === 'contractIdPreimageFromAsset'
  if (call.type !== 'hostFunctionTypeInvokeContract') return false
  const { contractAddress } = call.invokeContract
  return (
    contractAddress.type === 'scAddressTypeContract' && isTokenPut(network, draft, contractAddress.contractId, assets)
  )
}

const callIn = (
  place: string,
  signed: SignedTransaction,
  meta: xdr.TransactionMetaV4,
  header: xdr.LedgerHeader,
  network: Network,
): ReadonlyArray<RecordedCall> => {
  const [operation] = signed.transaction.operations
  const { ext } = signed.transaction
  const [made] = meta.operations
  if (operation?.body.type !== 'invokeHostFunction' || ext.type !== 'sorobanData' || made === undefined) return []
  const { hostFunction: call, auth } = operation.body.invokeHostFunctionOp
  const { footprint } = ext.sorobanData.resources
  const ledger = { sequence: header.ledgerSeq, closeTime: header.scpValue.closeTime }
  const draft = draftOn(viewOf([...made.changes, ...meta.txChangesBefore], footprint), ledger)
  if (!isOfTokens(call, network, draft, assetsIn(footprint, made.events))) return []
  const source = operationSource(operation, signed)
  const mode = { _tag: 'enforce', footprint, auth, restored: [] } as const
  const invocation = { call, source, draft: draftOn(draft, ledger), network, mode }
  const returnValue = meta.sorobanMeta?.returnValue ?? null
  const name = call.type === 'hostFunctionTypeInvokeContract' ? call.invokeContract.functionName.toString() : 'create'
  return [{ place, name, invocation, changes: made.changes, events: made.events, returnValue }]
}

/** Successful token calls of the recorded ledgers; none where the records are missing. */
export const recordedTokenCalls = (): ReadonlyArray<RecordedCall> => {
  const ledgers = recordedLedgers()
  const known = ledgers.length === 0 ? new Map<string, string>() : passphrases()
  return ledgers.flatMap(({ source, ledger, group, xdr: text }) => {
    const close = xdr.LedgerCloseMeta.fromXdr(text, 'base64')
    if (close.type !== 'v2') return []
    const network = networkOf(known.get(group) ?? '')
    const read = envelopesIn(close.v2.txSet).map((each) => readEnvelope(each.toXdr(), network))
    return close.v2.txProcessing.flatMap(({ result, txApplyProcessing }) => {
      const hash = hexOf(result.transactionHash.value)
      const signed = read.find((each) => E.isRight(each) && hexOf(each.right.hash) === hash)
      const hasSucceeded = result.result.result.type === 'txSuccess'
      if (!hasSucceeded || signed === undefined || E.isLeft(signed) || txApplyProcessing.type !== 'v4') return []
      const { header } = close.v2.ledgerHeader
      return callIn(`${source}#${ledger} ${hash}`, signed.right, txApplyProcessing.v4, header, network)
    })
  })
}
