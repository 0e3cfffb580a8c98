import {
  Address,
  Asset,
  encodeMuxedAccountToAddress,
  MuxedAccount,
  scValToNative,
  type xdr,
} from '@stellar/stellar-sdk'
import * as t from 'io-ts'
import type { Party, PaymentFacts } from './payment-facts.ts'

/** The part of a balance change that one operation made, by account, asset and operation index; 0 without any. */
export type KnownPart = (account: string, asset: string, operation: number) => bigint

/** An operation that took effect, as the XDR has it. */
export type StatedOperation = {
  readonly source: xdr.MuxedAccount
  readonly body: xdr.OperationBody
  readonly index: number
  readonly result: xdr.OperationResult | undefined
  readonly changes: ReadonlyArray<xdr.LedgerEntryChange>
  readonly events: ReadonlyArray<xdr.ContractEvent>
}

export const accountText = ({ ed25519 }: xdr.PublicKey): string =>
  Address.account(Buffer.from(ed25519.value)).toString()

const partyOf = (address: string): Party => {
  if (!address.startsWith('M')) return { account: address, muxedId: null }
  const muxed = MuxedAccount.fromAddress(address, '0')
  return { account: muxed.baseAccount().accountId(), muxedId: muxed.id() }
}

const partyIn = (address: xdr.MuxedAccount): Party => partyOf(encodeMuxedAccountToAddress(address))

const StatedAmount = t.type({ amount: t.bigint, to_muxed_id: t.union([t.bigint, t.null]) })

/** What an event says was paid; null unless the asset's own contract says so. */
const statedBy = ({ contractId, body }: xdr.ContractEvent, networkPassphrase: string) => {
  const topics = body.v0.topics.map((topic): unknown => scValToNative(topic))
  const [name, asset] = [topics[0], topics.at(-1)]
  if (contractId === null || typeof asset !== 'string' || (name !== 'transfer' && name !== 'mint')) return null
  const [code = '', issuer] = asset.split(':')
  const contract = (issuer === undefined ? Asset.native() : new Asset(code, issuer)).contractId(networkPassphrase)
  if (Address.contract(Buffer.from(contractId.value)).toString() !== contract) return null
  const data: unknown = scValToNative(body.v0.data)
  const paid = typeof data === 'bigint' ? { amount: data, to_muxed_id: null } : data
  const parties = topics.slice(1, -1).map(String)
  const to = partyOf(parties.at(-1) ?? '')
  if (!StatedAmount.is(paid)) return null
  return {
    kind: `contract_${name}`,
    from: name === 'transfer' ? (parties[0] ?? null) : null,
    to: { ...to, muxedId: paid.to_muxed_id === null ? to.muxedId : String(paid.to_muxed_id) },
    asset,
    amount: paid.amount,
  }
}

const inCall = (
  { events, index }: StatedOperation,
  source: Party,
  networkPassphrase: string,
): ReadonlyArray<PaymentFacts> =>
  events.flatMap((event) => {
    const stated = statedBy(event, networkPassphrase)
    if (stated === null || !stated.to.account.startsWith('G') || stated.from === stated.to.account) return []
    const isContract = stated.from?.startsWith('C') === true
    const unknown = { account: source.account, muxedId: null }
    const from = stated.from === null || isContract ? unknown : partyOf(stated.from)
    return [{ ...stated, operation: index, from, fromContract: isContract ? stated.from : null }]
  })

/** The amount that a path payment delivered, by its result. */
const deliveredBy = (result: xdr.OperationResult | undefined): bigint | null => {
  if (result?.type !== 'opInner') return null
  const { tr } = result
  if (tr.type !== 'pathPaymentStrictReceive' && tr.type !== 'pathPaymentStrictSend') return null
  return 'success' in tr.value ? tr.value.success.last.amount : null
}

/**
 * The incoming payments of an operation, with what `part` says arrived: a request says only what was asked for. Read with
 * the SDK alone, so that our own reader is not asked about itself.
 */
export const statedPayments = (
  operation: StatedOperation,
  part: KnownPart,
  networkPassphrase: string,
): ReadonlyArray<PaymentFacts> => {
  const { body, index, result, changes } = operation
  const source = partyIn(operation.source)
  const arrived = (kind: string, to: Party, asset: string, from = source): ReadonlyArray<PaymentFacts> => {
    const amount = part(to.account, asset, index)
    return amount > 0n ? [{ operation: index, kind, from, fromContract: null, to, asset, amount }] : []
  }
  if (body.type === 'payment') {
    const { destination, asset } = body.paymentOp
    return arrived('payment', partyIn(destination), Asset.fromOperation(asset).toString())
  }
  if (body.type === 'createAccount')
    return arrived('account_created', partyOf(accountText(body.createAccountOp.destination)), 'native')
  if (body.type === 'accountMerge') return arrived('account_merged', partyIn(body.destination), 'native')
  if (body.type === 'pathPaymentStrictReceive' || body.type === 'pathPaymentStrictSend') {
    const { destination, destAsset } = body.value
    const to = partyIn(destination)
    const payments = arrived('path_payment', to, Asset.fromOperation(destAsset).toString())
    // A payment to oneself delivers what is left of it after its trades.
    const delivered = to.account === source.account ? null : deliveredBy(result)
    return delivered === null ? payments : payments.map((payment) => ({ ...payment, amount: delivered }))
  }
  if (body.type === 'claimClaimableBalance')
    return changes.flatMap((change) => {
      if (change.type !== 'ledgerEntryState' || change.state.data.type !== 'claimableBalance') return []
      const { data, ext } = change.state
      const sponsor = ext.type === 'v1' ? ext.v1.sponsoringId : null
      const from = sponsor === null ? source : partyOf(accountText(sponsor))
      const asset = Asset.fromOperation(data.claimableBalance.asset).toString()
      return arrived('claimable_balance_claimed', source, asset, from)
    })
  return body.type === 'invokeHostFunction' ? inCall(operation, source, networkPassphrase) : []
}
