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
import type { FundingRefused, Sandbox } from '@quittance/sandbox'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** What a wallet sends: what is due, another amount of the asset asked for, or what is due in another asset. */
export type Sent =
  | { readonly _tag: 'Due' }
  | { readonly _tag: 'Amount'; readonly amount: Stroops }
  | { readonly _tag: 'OtherAsset'; readonly assetId: AssetId }

type Paid = { readonly transaction_hash: string; readonly account: AccountId }
export type SandboxWallet = (payableId: string, sent: Sent) => TE.TaskEither<BillingFailure, Paid>

const rpcTimeoutMs = 5_000
const fee = stroops(1_000n)

/**
 * Pays checkouts and invoices, and signs mandates, as any payer could, each from a new wallet that the faucet funds: reads
 * the quote, signs, has it relayed, and waits until that is in a ledger; not longer than ten seconds, since the sandbox can
 * be told to lose it.
 * Errors: a payer's, and `Refused` with the network's own code.
 */
export const sandboxWallet = (sandbox: Sandbox, rpcUrl: string, payer: Payer): SandboxWallet => {
  const { networkPassphrase } = sandbox
  const gateway = rpcGateway({ url: rpcUrl, networkPassphrase, timeoutMs: rpcTimeoutMs })
  return (payableId, sent) => {
    const seed = randomBytes(32)
    const { accountId, secret } = keyPairFromSeed(seed)
    return pipe(
      payer.quote(payableId),
      TE.chainFirstW((quote) => provideFunds(sandbox, { accountId, secret }, quote, sent)),
      TE.chainW((quote) =>
        sent._tag === 'Amount'
          ? builtByWallet(gateway, accountId, quote, sent.amount)
          : builtByService(payer, accountId, payableId, sent),
      ),
      TE.chainW((envelope) => signTransaction(envelope, networkPassphrase, localSigner(seed))),
      TE.chainFirstW((signed) => payer.submit(payableId, signed)),
      TE.chainEitherKW((signed) => readEnvelope(signed, networkPassphrase)),
      TE.chainFirstW(({ transactionHash }) => inLedger(gateway, transactionHash)),
      TE.map(({ transactionHash }) => ({ transaction_hash: transactionHash, account: accountId })),
    )
  }
}

const gift = 100_000_000_000n
const mostGifts = 20
/** What stays in the account for its reserve and the fee. */
const kept = 50_000_000n

/**
 * An account with all trustlines and 10,000 XLM, and as many gifts of 10,000 as it takes of another asset; one at the least,
 * since where nothing is due at once a charge is to follow.
 */
const provideFunds = (
  sandbox: Sandbox,
  { accountId, secret }: ReturnType<typeof keyPairFromSeed>,
  quote: QuoteView,
  sent: Sent,
): TE.TaskEither<BillingFailure, unknown> => {
  const assetId = sent._tag === 'OtherAsset' ? sent.assetId : quote.asset_id
  const due = E.getOrElse(() => 0n)(stroopsFromDecimal(quote.amount_due))
  // How much of another asset it takes is not known before there is an account: one gift has to do.
  const needed = stroops(sent._tag === 'Amount' ? sent.amount : sent._tag === 'Due' ? due : gift - kept)
  const most = assetId === 'native' ? gift - kept : gift * BigInt(mostGifts)
  if (needed > most) return TE.left({ _tag: 'SendAssetTooLittle', balance: stroops(most), needed })
  const gifts = assetId === 'native' ? 0 : Math.max(1, Number((needed + gift - 1n) / gift))
  return pipe(
    sandbox.provision(secret),
    TE.chain(() =>
      TE.sequenceArray(Array.from({ length: gifts }, () => sandbox.fund({ address: accountId, assetId }))),
    ),
    TE.mapLeft(({ code }: FundingRefused) => refused(code)),
  )
}

const refused = (code: string): BillingFailure => ({ _tag: 'Refused', code, operationCodes: [] })

const builtByService = (
  payer: Payer,
  account: AccountId,
  payableId: string,
  sent: Exclude<Sent, { readonly _tag: 'Amount' }>,
): TE.TaskEither<BillingFailure, string> =>
  pipe(
    payer.transaction(payableId, account, sent._tag === 'Due' ? null : { assetId: sent.assetId, most: null }),
    TE.map(({ transaction_xdr }) => transaction_xdr),
  )

const builtByWallet = (
  gateway: LedgerGateway,
  account: AccountId,
  { destination, asset_id, memo }: QuoteView,
  amount: Stroops,
): TE.TaskEither<BillingFailure, string> =>
  pipe(
    gateway.accountView(account, []),
    TE.filterOrElseW(
      (view) => view !== null,
      (): BillingFailure => ({ _tag: 'SourceAccountNotFound' }),
    ),
    TE.bindTo('view'),
    TE.bindW('head', () => gateway.latestLedger()),
    TE.chainEitherKW(({ view, head }) =>
      buildPayment({
        sourceAccount: account,
        accountSequence: view.accountSequence,
        destination,
        assetId: asset_id,
        amount,
        memoText: memo,
        ledgerClosedAt: head.closedAt,
        lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
        fee,
        networkPassphrase: gateway.networkPassphrase,
      }),
    ),
    TE.map(({ envelopeXdr }) => envelopeXdr),
  )

const looks = 100
const lookEveryMs = 100

const inLedger =
  (
    gateway: LedgerGateway,
    transactionHash: Parameters<LedgerGateway['lookUp']>[0],
  ): TE.TaskEither<BillingFailure, void> =>
  async () => {
    for (let look = 0; look < looks; look += 1) {
      const found = await gateway.lookUp(transactionHash)()
      if (E.isRight(found) && found.right._tag === 'Failed')
        return E.left(refused(found.right.operationCodes[0] ?? found.right.code))
      if (E.isRight(found) && found.right._tag === 'Succeeded') break
      await pause(lookEveryMs)
    }
    return E.right(undefined)
  }
