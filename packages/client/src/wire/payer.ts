import { AssetId, Stroops, stroopsFromDecimal } from '@quittance/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { CheckoutStatus } from './checkout.ts'
import { described, optional, orNull, says, withDefault } from './codecs.ts'
import { assetCode, assetId, decimal, paymentId, priceCurrency, transactionHash } from './fields.ts'
import { account, email, id, oneOf, phone, text, timestamp } from './values.ts'

const Rate = t.type(
  {
    source: says('Who has published it.', t.string),
    pair: says('The two currencies or assets, such as `USD/EUR`.', t.string),
    rate: says('How much of the second one is worth one of the first.', t.string),
    observed_at: says('When it was read.', timestamp),
  },
  'Rate',
)

/** The mandate that a subscriber signs. */
const PayerMandate = t.type(
  {
    contract_id: says('The mandate contract.', orNull(t.string)),
    asset_code: says('The code of the asset in which it is collected.', t.string),
    first_amount: says('What is paid at once; 0 with a trial.', decimal),
    owed: says('What is owed for the subscription besides, and collected once this is signed.', decimal),
    cap: says('The most that is ever collected for one interval.', decimal),
    interval: says('The unit of the time between two charges.', oneOf('day', 'week', 'month', 'year')),
    interval_count: says('How many of these units lie between two charges.', t.number),
    trial_days: says('0 for no trial, also for who has had one.', t.number),
    trial_ends_at: says('When the first payment is collected after a trial.', orNull(timestamp)),
    replaces: says('The mandate that ends with the signature, in hex.', orNull(t.string)),
  },
  'PayerMandate',
)
const mandate = says('Of a subscription: what its customer agrees to.', orNull(PayerMandate))

/** A checkout, an invoice, or a request for a new authorization. */
export const payableId = id('chk_', 'inv_', 'auth_')

/** The amount, address, memo and deadline of a payment. */
export const Quote = t.type(
  {
    checkout_id: says('The checkout, the invoice, or the request for a new authorization.', payableId),
    status: says('How it stands.', CheckoutStatus),
    destination: says('The account that is paid.', account),
    asset_id: assetId,
    asset_code: assetCode,
    amount: says(
      'What is asked for in all, in units of the asset; null where nothing can be paid any more.',
      orNull(decimal),
    ),
    currency_code: priceCurrency,
    currency_amount: says('What is asked for, in the currency of the price.', decimal),
    memo: says('The text without which a payment cannot be told from others.', t.string),
    memo_type: says('The type of the memo: always `text`.', t.literal('text')),
    network_passphrase: says('The network on which to pay, as wallets name it.', t.string),
    valid_until: says('Until when the amount counts; null where nothing can be paid any more.', orNull(timestamp)),
    amount_received: says('What has come so far, in units of the asset.', decimal),
    amount_due: says('What is still to be sent, in units of the asset.', decimal),
    sep7_uri: says('A SEP-7 address that opens a wallet; null of a subscription.', orNull(t.string)),
    mandate,
    rates: says('What the amount was computed with.', t.readonlyArray(Rate)),
    terms: says(
      'The terms that are accepted by paying. Show them before.',
      orNull(t.type({ url: says('Where customers read them.', t.string), version: says('Which they are.', t.string) })),
    ),
  },
  'Quote',
)

/** A checkout's status, for the page that waits for the payment. */
export const PayerStatus = t.type(
  {
    checkout_id: says('The checkout, the invoice, or the request for a new authorization.', payableId),
    status: says('How it stands.', CheckoutStatus),
    amount_received: says('What has come so far, in units of the asset.', decimal),
    amount_due: says('What is still to be sent, in units of the asset; null without a valid quote.', orNull(decimal)),
    asset_id: assetId,
    asset_code: assetCode,
    currency_code: priceCurrency,
    payment_id: paymentId,
    subscription_id: says('The subscription, once there is one.', orNull(id('sub_'))),
    transaction_hash: says('The transaction on the ledger that completed it.', orNull(transactionHash)),
    failure_reason: says('Why it has failed.', orNull(t.string)),
    late: says('Whether the payment came after the session had expired.', t.boolean),
    redirect_url: says('Where the customer is sent after payment.', orNull(t.string)),
    expires_at: says('When it expires.', timestamp),
    valid_until: says('Until when the amount counts; null where nothing can be paid any more.', orNull(timestamp)),
    mandate,
  },
  'PayerStatus',
)

/** The payer's details, for a checkout without a customer. */
export const PayerDetails = t.type(
  {
    email: says('The email of who pays.', email),
    name: says('Full name.', optional(text(250))),
    phone: says('Phone number, with at least three digits.', optional(phone)),
  },
  'PayerDetails',
)

/** That a checkout has its customer now. */
export const AttachedCustomer = t.type(
  { checkout_id: says('The checkout that has its customer now.', id('chk_')) },
  'AttachedCustomer',
)

const assetName = described(AssetId, 'native, or CODE:ISSUER', assetId.schema)

const amountName = 'an amount above 0 as text, with at most 7 decimals'
const positiveAmount = described(
  new t.Type<Stroops, string, unknown>(
    amountName,
    Stroops.is,
    (input, context) => {
      const read = typeof input === 'string' ? stroopsFromDecimal(input) : null
      return read !== null && E.isRight(read) && read.right > 0n ? t.success(read.right) : t.failure(input, context)
    },
    String,
  ),
  amountName,
  decimal.schema,
)

const mostAssetIds = 10
const assetIdsName = `at most ${mostAssetIds} assets (CODE:ISSUER), separated by commas`
const assetIds = described(
  new t.Type<ReadonlyArray<AssetId>, string, unknown>(
    assetIdsName,
    t.array(AssetId).is,
    (input, context) => {
      const names = typeof input === 'string' ? input.split(',') : []
      return names.length > 0 && names.length <= mostAssetIds
        ? t.array(AssetId).validate(names, context)
        : t.failure(input, context)
    },
    String,
  ),
  assetIdsName,
  { type: 'string' },
)

/** The account whose assets are listed. */
export const AssetsQuery = t.type({
  account: says('The account that would pay.', account),
  asset_ids: says('Assets to look for, beside those that are often held.', optional(assetIds)),
})

/** An asset that the payer holds, and its cost for this payment. */
export const PayerAsset = t.type(
  {
    asset_id: assetId,
    code: says('The code of the asset, such as `USDC`.', t.string),
    issuer: says('The account that issues it; null for the native asset.', orNull(account)),
    balance: says('What the account can part with.', decimal),
    send_amount: says('What paying would take of it now.', orNull(decimal)),
    send_max: says('What the payment that is built may take at most.', orNull(decimal)),
    path_available: says('Whether the network can exchange it for the asset asked for now.', t.boolean),
    is_price_checked: says('Whether an exchange rate says what the asset is worth.', t.boolean),
    is_settlement_asset: says('Whether it is the asset asked for.', t.boolean),
  },
  'PayerAsset',
)

/** The account and asset to pay with. */
export const TransactionRequest = t.type(
  {
    source_account: says('The account that will pay, and sign.', account),
    send_asset: says('What to send instead of the asset asked for.', optional(assetName)),
    send_max: says('How much of it to send at most.', optional(positiveAmount)),
    add_trustline: says(
      'Build a transaction that makes the account able to hold the asset asked for, instead of one that pays.',
      withDefault(t.boolean, false),
    ),
  },
  'TransactionRequest',
)

/** A transaction for the wallet to sign. */
export const UnsignedTransaction = t.type(
  {
    transaction_xdr: says('The envelope in base64 XDR.', t.string),
    network_passphrase: says('The network on which to pay, as wallets name it.', t.string),
    kind: says(
      'What is signed: a payment, one through an exchange, a mandate for a subscription, or a trustline.',
      oneOf('payment', 'path_payment', 'mandate', 'trustline'),
    ),
    send_max: says('What a path payment takes at most.', orNull(decimal)),
    sep7_uri: says('A SEP-7 address that opens a wallet.', t.string),
    expires_at: says('When it expires.', timestamp),
    mandate,
  },
  'UnsignedTransaction',
)

/** A payer's signed transaction, to be relayed. */
export const SignedTransaction = t.type(
  { transaction_xdr: says('The signed envelope in base64 XDR.', text(100_000)) },
  'SignedTransaction',
)

/** A transaction that was relayed to the network. */
export const RelayedTransaction = t.type(
  { transaction_hash: says('The transaction that was sent to the network.', transactionHash) },
  'RelayedTransaction',
)

/** The transaction that a payer has submitted. */
export const OutcomeQuery = t.type({ transaction_hash: says('The transaction that was submitted.', transactionHash) })

/** What became of a transaction. */
export const TransactionOutcome = t.type(
  {
    transaction_hash: says('The transaction that was submitted.', transactionHash),
    outcome: says(
      '`not_found` while no ledger holds it. Whether a payment counts, only the status says.',
      oneOf('succeeded', 'failed', 'not_found'),
    ),
    code: says('Why it has failed, as the network names it.', orNull(t.string)),
  },
  'TransactionOutcome',
)

/** A checkout or invoice that a sandbox wallet pays, or an authorization that it signs. */
export const SandboxPayment = t.type(
  {
    checkout_id: says('The checkout, the invoice, or the request for a new authorization.', payableId),
    asset_id: says('What to send instead of the asset asked for, through an exchange.', optional(assetName)),
    amount: says(
      'How much of the asset asked for to send, as text: less or more than is due. Left out: what is due.',
      optional(positiveAmount),
    ),
  },
  'SandboxPayment',
)

/** The transaction and wallet of a sandbox payment. */
export const PaidFromSandbox = t.type(
  {
    transaction_hash: says('The transaction on the ledger that holds it.', transactionHash),
    account: says('The wallet that has paid or signed.', account),
  },
  'PaidFromSandbox',
)
