import type { Billing } from '@quittance/billing'
import {
  ChangedSettlement,
  Settlement,
  SettlementReceipt,
  SignatureRequests,
  WalletAddress,
  WalletChallenge,
  WalletProof,
} from '@quittance/client/wire'
import * as E from 'fp-ts/lib/Either.js'
import { keyAlone, keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { ofProofs } from '../wire/declared-codes.ts'
import { command, type Route, route } from '../wire/route.ts'

/** The settlement account in the environment of the key. Only a secret key may name the account. */
export const settlementRoutes = (billing: Billing): ReadonlyArray<Route> => [
  command(billing, {
    method: 'PUT',
    path: '/settlement',
    summary: 'Change the accepted assets and the funding accounts',
    auth: keyed('settlement:write'),
    body: ChangedSettlement,
    answer: Settlement,
    receipt: SettlementReceipt,
    fields: { asset: 'assets' },
    problems: ['unsupported_asset', 'funding_account_refused', 'network_not_configured', 'ledger_unavailable'],
    handler:
      (context, { assets, default_asset_id: defaultAssetId, funding_accounts: fundingAccounts }) =>
      async () => {
        const declared = await billing.fundings.declareFirst(context, fundingAccounts ?? null)()
        if (E.isLeft(declared)) return declared
        return billing.settlementAccounts.accept(context, { assets, defaultAssetId })()
      },
  }),
  command(billing, {
    method: 'POST',
    path: '/settlement/account',
    summary: "Ask for a proof that an account is the merchant's own",
    auth: keyAlone,
    body: WalletAddress,
    answer: WalletChallenge,
    receipt: 'all',
    problems: ['settlement_account_taken', 'network_not_configured'],
    handler: (context, { address }) => billing.ownAccount.ask(context, address),
  }),
  command(billing, {
    method: 'POST',
    path: '/settlement/account/verify',
    summary: 'Have the merchant paid at the account of a signed proof',
    auth: keyAlone,
    body: WalletProof,
    answer: Settlement,
    receipt: 'all',
    problems: [
      ...ofProofs,
      'settlement_account_taken',
      'settlement_account_missing',
      'network_not_configured',
      'ledger_unavailable',
    ],
    handler:
      (context, { transaction }) =>
      async () => {
        const verified = await billing.ownAccount.verify(context, transaction)()
        return E.isLeft(verified) ? verified : billing.settlementAccounts.show(context)()
      },
  }),
  route({
    method: 'GET',
    path: '/settlement/signatures',
    summary: 'List what waits for a signature of the merchant',
    auth: keyed('settlement:read'),
    answer: SignatureRequests,
    problems: ['network_not_configured', 'ledger_unavailable'],
    handler: async ({ principal, reads }) => ({
      object: 'signature_requests' as const,
      requests: await answerOf(billing.ownAccount.signatures(principal(), reads())),
    }),
  }),
  route({
    method: 'GET',
    path: '/settlement',
    summary: 'Tell what the settlement account lacks',
    auth: keyed('settlement:read'),
    answer: Settlement,
    problems: ['network_not_configured', 'ledger_unavailable'],
    handler: ({ principal }) => answerOf(billing.settlementAccounts.show(principal())),
  }),
]
