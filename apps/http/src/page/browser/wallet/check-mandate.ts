import { stroopsFromDecimal } from '../amounts.ts'
import { fieldsOf } from '../fields.ts'
import type { Interval, Mandate } from '../mandate.ts'
import type { PageQuote } from '../wire.ts'
import type { StellarSdk, Transaction } from './sdk.ts'
import { walletWords } from './wallet-words.ts'

/** 5 XLM: half a year of an allowance costs a fraction of one, and what is not used is given back. */
const MAX_FEE_STROOPS = 50_000_000

const unitNumbers: Readonly<Record<Interval, number>> = { day: 1, week: 2, month: 3, year: 4 }

/** The library writes XDR as SEP-51 does: plain JSON, in which equal values are equal texts. */
const plain = (value: unknown): ReturnType<typeof fieldsOf> => fieldsOf(JSON.parse(JSON.stringify(value) ?? 'null'))

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const hexOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Why the arguments of `create` are not what the page shows; null when they are. Source: contracts/mandate/README.md. */
const termsProblem = (
  [
    customer,
    payee,
    ,
    token,
    cap,
    unit,
    count,
    firstChargeAt,
    endsAt,
    firstAmount,
    ,
    ,
    reference,
    replaces,
  ]: ReadonlyArray<unknown>,
  payer: string,
  tokenContract: string,
  quote: PageQuote,
  mandate: Mandate,
): string | null => {
  if (!isSame(customer, { address: payer })) return walletWords.problems.otherMandate
  if (!isSame(payee, { address: quote.destination })) return walletWords.problems.toOther
  if (!isSame(token, { address: tokenContract })) return walletWords.problems.otherAsset
  if (!isSame(cap, { i128: String(stroopsFromDecimal(mandate.cap)) })) return walletWords.problems.otherLimit
  if (!isSame(firstAmount, { i128: String(stroopsFromDecimal(mandate.firstAmount)) }))
    return walletWords.problems.otherAmount
  if (!isSame([unit, count], [{ u32: unitNumbers[mandate.interval] }, { u32: mandate.intervalCount }]))
    return walletWords.problems.otherInterval
  const trialEnd = mandate.trialEndsAt === null ? null : String(Math.floor(Date.parse(mandate.trialEndsAt) / 1000))
  if (trialEnd !== null && !isSame(firstChargeAt, { u64: trialEnd })) return walletWords.problems.otherTrial
  if (!isSame(endsAt, 'void')) return walletWords.problems.hiddenEnd
  const ending = quote.mandate?.replaces ?? null
  if (!isSame(replaces, 'void') && (ending === null || !isSame(replaces, { bytes: ending })))
    return walletWords.problems.endsOther
  return isSame(reference, { bytes: hexOf(quote.memo) }) ? null : walletWords.problems.otherCheckout
}

/** The signature stands for `create` and the approval inside it, and for nothing else. */
const isAuthorisedFor = (auth: unknown, call: unknown, payer: string, mandate: Mandate, token: string): boolean => {
  const [entry, ...others] = list(auth)
  const { credentials, root_invocation } = plain(entry)
  const root = fieldsOf(root_invocation)
  const [approval, ...more] = list(root.sub_invocations)
  const inner = fieldsOf(approval)
  const { contract_address, function_name, args } = fieldsOf(fieldsOf(inner.function).contract_fn)
  return (
    others.length === 0 &&
    more.length === 0 &&
    credentials === 'source_account' &&
    isSame(fieldsOf(root.function).contract_fn, call) &&
    contract_address === token &&
    function_name === 'approve' &&
    isSame(list(args).slice(0, 2), [{ address: payer }, { address: mandate.contractId }]) &&
    list(inner.sub_invocations).length === 0
  )
}

/**
 * Why a transaction is not the mandate that the page shows, as a sentence; null when it is exactly that: one call of the
 * contract shown, by this wallet, with these terms, for this checkout, whose signature stands for nothing else; or, where an
 * existing subscription asks, a further approval.
 * Whoever answered with the transaction could have put anything into it, so it is read before it is signed.
 */
export const mandateProblem = (
  sdk: StellarSdk,
  transaction: Transaction,
  payer: string,
  quote: PageQuote,
  mandate: Mandate,
  networkPassphrase: string,
): string | null => {
  const [operation, ...others] = transaction.operations
  if (operation === undefined || others.length > 0) return walletWords.problems.besidesMandate
  if (operation.type !== 'invokeHostFunction') return walletWords.problems.noMandate
  const { source = transaction.source, func, auth } = fieldsOf(operation)
  if (transaction.source !== payer || source !== payer) return walletWords.problems.sentByOther
  const call = fieldsOf(plain(func).invoke_contract)
  const isRenewal = call.function_name === 'renew_allowance' && quote.isAuthorization
  if (call.contract_address !== mandate.contractId || (call.function_name !== 'create' && !isRenewal))
    return walletWords.problems.callsOther
  const [code = '', issuer] = quote.assetId.split(':')
  const asset = issuer === undefined ? sdk.Asset.native() : new sdk.Asset(code, issuer)
  const token = asset.contractId(networkPassphrase)
  // A further approval has no terms: those of the mandate that the wallet has made stand in the contract.
  const problem = isRenewal ? null : termsProblem(list(call.args), payer, token, quote, mandate)
  if (problem !== null) return problem
  if (!isAuthorisedFor(auth, call, payer, mandate, token)) return walletWords.problems.signsMore
  if (!(Number(transaction.fee) <= MAX_FEE_STROOPS)) return walletWords.problems.highFee
  return null
}
