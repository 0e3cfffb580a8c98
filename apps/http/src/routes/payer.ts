import type { Billing } from '@quittance/billing'
import {
  AssetsQuery,
  AttachedCustomer,
  OutcomeQuery,
  PayerAsset,
  PayerDetails,
  PayerStatus,
  payableId,
  Quote,
  RelayedTransaction,
  SignedTransaction,
  TransactionOutcome,
  TransactionRequest,
  UnsignedTransaction,
} from '@quittance/client/wire'
import * as t from 'io-ts'
import { open } from '../wire/auth.ts'
import { answerOf } from '../wire/call.ts'
import { ofAttaching, ofBuilding, ofQuotes, ofRelaying } from '../wire/declared-codes.ts'
import { streamStates } from '../wire/event-stream.ts'
import { page, type Route, route } from '../wire/route.ts'

const payable = { auth: open, params: { id: payableId }, isBounded: true } as const

/** What the holder of a checkout's address may do. Streams end when `closing` aborts. */
export const payerRoutes = ({ payer }: Billing, closing: AbortSignal): ReadonlyArray<Route> => [
  route({
    ...payable,
    method: 'GET',
    path: '/pay/:id/quote',
    summary: 'Tell what to send, where, with which memo, by when',
    answer: Quote,
    problems: ofQuotes,
    handler: ({ param }) => answerOf(payer.quote(param('id'))),
  }),
  route({
    ...payable,
    method: 'GET',
    path: '/pay/:id/status',
    summary: 'Tell how a checkout stands',
    answer: PayerStatus,
    handler: ({ param }) => answerOf(payer.status(param('id'))),
  }),
  route({
    ...payable,
    method: 'GET',
    path: '/pay/:id/assets',
    summary: 'List the assets that an account could pay with',
    query: AssetsQuery,
    answer: t.readonlyArray(PayerAsset),
    problems: ofBuilding,
    handler: ({ param, query }) => answerOf(payer.assets(param('id'), query.account, query.asset_ids ?? [])),
  }),
  route({
    ...payable,
    method: 'POST',
    path: '/pay/:id/customer',
    summary: 'Say who pays',
    body: PayerDetails,
    answer: AttachedCustomer,
    problems: ofAttaching,
    handler: ({ param }, body) => answerOf(payer.attachCustomer(param('id'), body)),
  }),
  route({
    ...payable,
    method: 'POST',
    path: '/pay/:id/transaction',
    summary: 'Build a payment for the wallet to sign',
    body: TransactionRequest,
    answer: UnsignedTransaction,
    problems: ofBuilding,
    handler: ({ param }, { source_account, send_asset, send_max, add_trustline }) => {
      if (add_trustline) return answerOf(payer.trustline(param('id'), source_account))
      const sending = send_asset === null ? null : { assetId: send_asset, most: send_max }
      return answerOf(payer.transaction(param('id'), source_account, sending))
    },
  }),
  route({
    ...payable,
    method: 'POST',
    path: '/pay/:id/submit',
    summary: 'Relay a signed payment',
    body: SignedTransaction,
    answer: RelayedTransaction,
    problems: ofRelaying,
    handler: ({ param }, { transaction_xdr }) => answerOf(payer.submit(param('id'), transaction_xdr)),
  }),
  route({
    ...payable,
    method: 'GET',
    path: '/pay/:id/outcome',
    summary: 'Tell what became of a submitted transaction',
    query: OutcomeQuery,
    answer: TransactionOutcome,
    problems: ['network_not_configured', 'ledger_unavailable'],
    handler: ({ param, query }) => answerOf(payer.outcome(param('id'), query.transaction_hash)),
  }),
  page({
    ...payable,
    path: '/pay/:id/events',
    summary: 'Follow how a checkout stands, as server-sent events',
    answers: { 200: { _tag: 'media', type: 'text/event-stream' } },
    isEndless: true,
    handler: ({ param }, reply) =>
      streamStates(
        reply,
        () => answerOf(payer.status(param('id'))),
        ({ status }) => status === 'completed' || status === 'failed',
        closing,
      ),
  }),
]
