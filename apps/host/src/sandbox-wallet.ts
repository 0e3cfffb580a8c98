import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { BillingFailure, Payer, QuoteView } from '@quittance/billing'
import { type AccountId, type AssetId, type Stroops, stroops, stroopsFromDecimal } from '@quittance/domain'
import {
  buildPayment,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  keyPairFromSeed,
  type LedgerGateway,
  localSigner,
  readEnvelope,
  rpcGateway,
  signTransaction,
} from '@quittance/ledger'
import type { Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** What a wallet sends: the amount due, another amount of the quoted asset, or the amount due in another asset. */
export type Sent =
  | { readonly _tag: 'Due' }
  | { readonly _tag: 'Amount'; readonly amount: Stroops }
  | { readonly _tag: 'OtherAsset'; readonly assetId: AssetId }

type Paid = { readonly transaction_hash: string; readonly account: AccountId }
export type SandboxWallet = (payableId: string, sent: Sent) => TE.TaskEither<BillingFailure, Paid>

const rpcTimeoutMs = 5_000
const fee = stroops(1_000n)

/**
 * Pays checkouts and invoices, and signs mandates, as any payer could, each from a new wallet that the faucet funds.
 * Reads the quote, signs, submits through the service, and waits up to ten seconds for the ledger, since a fault knob
 * can lose the transaction.
 * Errors: a payer's, and `Refused` with the network's code.
 */
export const sandboxWallet = (sandbox: Sandbox, rpcUrl: string, payer: Payer): SandboxWallet => {
  const { networkPassphrase } = sandbox
  const gateway = rpcGateway({ url: rpcUrl, networkPassphrase, timeoutMs: rpcTimeoutMs })
  return (payableId, sent) => async () => {
    const seed = randomBytes(32)
    const { accountId, secret } = keyPairFromSeed(seed)
    const quote = await payer.quote(payableId)()
    if (E.isLeft(quote)) return quote
    const funded = await provideFunds(sandbox, { accountId, secret }, quote.right, sent)
    if (E.isLeft(funded)) return funded
    const envelope =
      sent._tag === 'Amount'
        ? await buildByWallet(gateway, accountId, quote.right, sent.amount)
        : await buildByService(payer, accountId, payableId, sent)
    if (E.isLeft(envelope)) return envelope
    const signed = await signTransaction(envelope.right, networkPassphrase, localSigner(seed))()
    if (E.isLeft(signed)) return signed
    const submitted = await payer.submit(payableId, signed.right)()
    if (E.isLeft(submitted)) return submitted
    const read = readEnvelope(signed.right, networkPassphrase)
    if (E.isLeft(read)) return read
    const { transactionHash } = read.right
    const refusal = await refusalInLedger(gateway, transactionHash)
    return refusal === null ? E.right({ transaction_hash: transactionHash, account: accountId }) : E.left(refusal)
  }
}

const gift = 100_000_000_000n
const mostGifts = 20
/** What stays in the account for its reserve and the fee. */
const kept = 50_000_000n

/**
 * Makes an account with all trustlines and 10,000 XLM, and adds as many gifts of 10,000 of another asset as are needed: at
 * least one, because a subscription that charges nothing now charges later.
 */
const provideFunds = async (
  sandbox: Sandbox,
  { accountId, secret }: ReturnType<typeof keyPairFromSeed>,
  quote: QuoteView,
  sent: Sent,
): Promise<E.Either<BillingFailure, void>> => {
  const assetId = sent._tag === 'OtherAsset' ? sent.assetId : quote.asset_id
  const due = E.getOrElse(() => 0n)(stroopsFromDecimal(quote.amount_due))
  // The amount of another asset is not known before there is an account: one gift has to do.
  const needed = stroops(sent._tag === 'Amount' ? sent.amount : sent._tag === 'Due' ? due : gift - kept)
  const most = assetId === 'native' ? gift - kept : gift * BigInt(mostGifts)
  if (needed > most) return E.left({ _tag: 'SendAssetTooLittle', balance: stroops(most), needed })
  const provisioned = await sandbox.provision(secret)()
  if (E.isLeft(provisioned)) return E.left(refused(provisioned.left.code))
  const gifts = assetId === 'native' ? 0 : Math.max(1, Number((needed + gift - 1n) / gift))
  const funded = await Promise.all(Array.from({ length: gifts }, () => sandbox.fund({ address: accountId, assetId })()))
  const failed = funded.find(E.isLeft)
  return failed === undefined ? E.right(undefined) : E.left(refused(failed.left.code))
}

const refused = (code: string): BillingFailure => ({ _tag: 'Refused', code, operationCodes: [] })

const buildByService = async (
  payer: Payer,
  account: AccountId,
  payableId: string,
  sent: Exclude<Sent, { readonly _tag: 'Amount' }>,
): Promise<E.Either<BillingFailure, string>> => {
  const sending = sent._tag === 'Due' ? null : { assetId: sent.assetId, most: null }
  const built = await payer.transaction(payableId, account, sending)()
  return E.isLeft(built) ? built : E.right(built.right.transaction_xdr)
}

const buildByWallet = async (
  gateway: LedgerGateway,
  account: AccountId,
  { destination, asset_id, memo }: QuoteView,
  amount: Stroops,
): Promise<E.Either<BillingFailure, string>> => {
  const view = await gateway.accountView(account, [])()
  if (E.isLeft(view)) return view
  if (view.right === null) return E.left({ _tag: 'SourceAccountNotFound' })
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return head
  const built = buildPayment({
    sourceAccount: account,
    accountSequence: view.right.accountSequence,
    destination,
    assetId: asset_id,
    amount,
    memoText: memo,
    ledgerClosedAt: head.right.closedAt,
    lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
    fee,
    networkPassphrase: gateway.networkPassphrase,
  })
  return E.isLeft(built) ? built : E.right(built.right.envelopeXdr)
}

const looks = 100
const lookEveryMs = 100

/** Why the transaction failed in a ledger; null once it has succeeded, or is not found in time. */
const refusalInLedger = async (
  gateway: LedgerGateway,
  transactionHash: Parameters<LedgerGateway['lookUp']>[0],
): Promise<BillingFailure | null> => {
  for (let look = 0; look < looks; look += 1) {
    const found = await gateway.lookUp(transactionHash)()
    if (E.isRight(found) && found.right._tag === 'Failed')
      return refused(found.right.operationCodes[0] ?? found.right.code)
    if (E.isRight(found) && found.right._tag === 'Succeeded') return null
    await pause(lookEveryMs)
  }
  return null
}
