import type { Billing } from '@quittance/billing'
import {
  ChangedSettlement,
  Settlement,
  SignatureRequests,
  WalletAddress,
  WalletChallenge,
  WalletProof,
} from '@quittance/client/wire'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { keyAlone, keyed } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { command, type Route, route } from '../wire/route.ts'

/** Where the merchant is paid, in the key's environment. Only a secret key says at which account; an app token may do the rest. */
export const settlementRoutes = (billing: Billing): ReadonlyArray<Route> => [
  command(billing, {
    method: 'PUT',
    path: '/settlement',
    summary: 'Change the accepted assets and the funding accounts',
    auth: keyed('settlement:write'),
    body: ChangedSettlement,
    example: { assets: ['native'], default_asset_id: 'native' },
    answer: Settlement,
    fields: { asset: 'assets' },
    problems: ['unsupported_asset', 'funding_account_refused', 'network_not_configured', 'ledger_unavailable'],
    handler: (context, { assets, default_asset_id: defaultAssetId, funding_accounts: fundingAccounts }) =>
      pipe(
        billing.fundings.declareFirst(context, fundingAccounts ?? null),
        TE.chainW(() => billing.settlementAccounts.accept(context, { assets, defaultAssetId })),
      ),
  }),
  command(billing, {
    method: 'POST',
    path: '/settlement/account',
    summary: "Ask for a proof that an account is the merchant's own",
    auth: keyAlone,
    body: WalletAddress,
    answer: WalletChallenge,
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
    problems: [
      'challenge_invalid',
      'challenge_not_signed',
      'challenge_spent',
      'settlement_account_taken',
      'settlement_account_missing',
      'network_not_configured',
      'ledger_unavailable',
    ],
    handler: (context, { transaction }) =>
      pipe(
        billing.ownAccount.verify(context, transaction),
        TE.chainW(() => billing.settlementAccounts.show(context)),
      ),
  }),
  route({
    method: 'GET',
    path: '/settlement/signatures',
    summary: 'List what waits for a signature of the merchant',
    auth: keyed('settlement:read'),
    answer: SignatureRequests,
    problems: ['network_not_configured', 'ledger_unavailable'],
    handler: ({ principal }) =>
      answerOf(
        pipe(
          billing.ownAccount.signatures(principal()),
          TE.map((requests) => ({ object: 'signature_requests' as const, requests })),
        ),
      ),
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
