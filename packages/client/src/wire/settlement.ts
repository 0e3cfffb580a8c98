import { Environment } from '@quittance/domain/values'
import * as t from 'io-ts'
import { orNull, says, unchanged } from './codecs.ts'
import { assetAmount, assetId, createdAt, decimal, environment, objectOf } from './fields.ts'
import { account, currencyCode, oneOf, such, timestamp } from './values.ts'

const SettlementAsset = t.type(
  {
    asset_id: assetId,
    code: says('The code of the asset.', t.string),
    peg: says(
      'The currency that it is pegged to, as prices use it; null where it is not pegged.',
      orNull(currencyCode),
    ),
    is_default: says('Whether checkouts in a currency settle in it.', t.boolean),
    trustline: says(
      '`pending`: it is being set. `not_authorized`: its issuer lets the account hold none. `not_needed`: of XLM, and of what the account issues.',
      oneOf('present', 'missing', 'pending', 'not_authorized', 'not_needed'),
    ),
    balance: says('What the account holds of it.', decimal),
  },
  'SettlementAsset',
)

const SettlementProblem = t.type(
  {
    code: says(
      'What is wrong, for a program.',
      oneOf(
        'no_settlement_account',
        'no_asset_accepted',
        'account_missing',
        'account_pending',
        'account_underfunded',
        'trustline_missing',
        'trustline_pending',
        'trustline_not_authorized',
        'trustline_full',
      ),
    ),
    message: says('What is wrong, for a person.', t.string),
    remedy: says('What to do about it.', t.string),
  },
  'SettlementProblem',
)

const mostAssets = 100
const assets = such(
  t.readonlyArray(assetId),
  (ids) => ids.length > 0 && ids.length <= mostAssets && new Set(ids).size === ids.length,
  `a list of 1 to ${mostAssets} assets, each once`,
  { type: 'array', items: assetId.schema, minItems: 1, maxItems: mostAssets, uniqueItems: true },
)

const mostFundingAccounts = 20
const fundingAccounts = such(
  t.readonlyArray(account),
  (accounts) => accounts.length <= mostFundingAccounts,
  `a list of at most ${mostFundingAccounts} accounts`,
  { type: 'array', items: account.schema, maxItems: mostFundingAccounts },
)

/** Changes to settlement. Missing fields stay. */
export const ChangedSettlement = t.type(
  {
    assets: says(
      'The assets that are accepted from now on, of those that the network knows. Open checkouts keep theirs.',
      unchanged(assets),
    ),
    default_asset_id: says(
      'One of them, in which checkouts in a currency settle. Left out: the one before or, where that is accepted no longer, the first.',
      unchanged(assetId),
    ),
    funding_accounts: says(
      'The accounts from which the merchant funds the settlement account, all of them. What they send, and names no checkout, is no sale and is never returned.',
      unchanged(fundingAccounts),
    ),
  },
  'ChangedSettlement',
)

/** The account that receives a merchant's payments, its state on the ledger, and missing set-up. */
export const Settlement = t.type(
  {
    object: objectOf('settlement'),
    environment: says('The network of the key with which it was asked for.', Environment),
    network_passphrase: says('The network, as wallets name it.', t.string),
    custody: says('Who signs for the account.', oneOf('service', 'merchant')),
    address: says('Null as long as the merchant has no account in this environment.', orNull(account)),
    exists: says('Whether the account is on the ledger.', t.boolean),
    balance: says('Its XLM.', decimal),
    reserve: says('The XLM that the network keeps of it now.', decimal),
    missing: says('The XLM that it still needs for itself, its trustlines and their fees.', decimal),
    assets: says('The accepted assets.', t.readonlyArray(SettlementAsset)),
    funding_accounts: says('The accounts whose payments to it are no sales.', t.readonlyArray(account)),
    funding: says(
      'How to send what is missing.',
      t.type({
        sep7_uri: says('Has a wallet send what is missing (SEP-7). Null without an address.', orNull(t.string)),
      }),
    ),
    problems: says(
      'What keeps it from being paid, in the order in which to solve it.',
      t.readonlyArray(SettlementProblem),
    ),
    next_step: says('What to do first. Null once nothing is left to do.', orNull(t.string)),
    is_ready: says('Whether every accepted asset can be paid.', t.boolean),
  },
  'Settlement',
)
export type Settlement = t.TypeOf<typeof Settlement>

/** A payment that the merchant owes from its own account, and the transaction for it. */
const SignatureRequest = t.type(
  {
    object: objectOf('signature_request'),
    for: says('The refund (`rf_…`) or the return (`ret_…`) that it pays.', t.string),
    kind: says('What it pays.', oneOf('refund', 'return', 'payout')),
    account: says('The account that pays, and whose signature it needs.', account),
    destination_address: says('Who is paid.', account),
    destination_muxed_id: says(
      'The number inside the muxed address that is paid; null where it is none.',
      orNull(t.string),
    ),
    asset_id: assetId,
    amount: says('How much it pays.', assetAmount),
    memo: says('The memo by which the payment is recognised, whoever builds it.', orNull(t.string)),
    transaction_xdr: says(
      'The transaction in base64 XDR, to be signed and submitted. All of one account have the same sequence number: of those that are signed, one is paid, and then the rest has to be asked for again.',
      t.string,
    ),
    network_passphrase: says('The network, as wallets name it.', t.string),
    sep7_uri: says('Has a wallet sign it and submit it (SEP-7).', t.string),
    expires_at: says('When it can enter no ledger any more.', timestamp),
    environment,
    created_at: createdAt,
  },
  'SignatureRequest',
)

/** What waits for signatures of the merchant. */
export const SignatureRequests = t.type(
  {
    object: objectOf('signature_requests'),
    requests: says('The longest waiting first, at most 100.', t.readonlyArray(SignatureRequest)),
  },
  'SignatureRequests',
)
export type SignatureRequests = t.TypeOf<typeof SignatureRequests>
