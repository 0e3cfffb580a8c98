import { type AccountId, asText, formatAmount, hourMs, type IntentDetails } from '@quittance/domain'
import {
  type AccountView,
  buildPayouts,
  type LedgerHead,
  type LedgerUnreachable,
  type SignerUnavailable,
  txUri,
} from '@quittance/ledger'
import type { Found, IntentRow, Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { filterInTurn } from '../../kernel/checks-in-turn.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { timestamp } from '../../resources/fields.ts'
import { type Reads, readsAll } from '../../resources/scopes.ts'
import { isInMerchantsCustody } from '../../services/custody.ts'
import { everyRow } from '../../services/every-row.ts'
import { mustWait } from '../../services/holding.ts'
import { type Network, type NetworkNotConfigured, networkOf, type Services } from '../../services/services.ts'
import { firstBid } from '../outgoing/fees.ts'
import { paidFor } from '../outgoing/paid-for.ts'
import { paidBy } from '../outgoing/screened.ts'
import type { OwnAccountServices } from './services.ts'

/** How long a transaction may be signed and sent; after that, it has to be requested again. */
const lifetimeMs = hourMs
const mostAtOnce = 100

type Failure = ExecuteFailure | NetworkNotConfigured | LedgerUnreachable | SignerUnavailable

/**
 * The payments due from a merchant's own accounts, each as a separate transaction that waits for a signature. All
 * transactions of one account have its next sequence number: only one of them can succeed, and the others must be
 * requested again. Nothing is recorded: the ledger shows what was paid.
 */
export const signatureRequests =
  (services: OwnAccountServices) =>
  (scope: Scope, reads: Reads = readsAll): TE.TaskEither<Failure, ReadonlyArray<SignatureRequest>> =>
  async () => {
    const network = networkOf(services, scope.environment)
    if (E.isLeft(network)) return network
    const caught = await services.caughtUp.withLog()
    if (E.isLeft(caught)) return caught
    const { readModels } = services
    const waiting = (
      await filterInTurn(
        (
          await Array.fromAsync(everyRow((page) => readModels.intents.page({ ...page, status: 'waiting' }), scope))
        ).filter(({ row }) => isReadable(reads, row.details)),
        ({ row }) => isInMerchantsCustody(readModels, scope.environment, row.details.source),
      )
    )
      .toReversed()
      .slice(0, mostAtOnce)
    if (waiting.length === 0) return E.right([])
    const head = await network.right.gateway.latestLedger()()
    if (E.isLeft(head)) return head
    const views = new Map<AccountId, AccountView | null>()
    const requests: Array<SignatureRequest> = []
    for (const intent of waiting) {
      const paid = paidBy(intent.row.details)
      if (paid !== null) {
        const at = services.clock.now(scope.environment)
        const hold = { ...paid, merchantId: asText(scope.merchantId), environment: scope.environment, at }
        const waits = await mustWait(services, hold)
        if (E.isLeft(waits)) return waits
        if (waits.right) continue
      }
      const { source } = intent.row.details
      const view = views.has(source)
        ? E.right(views.get(source) ?? null)
        : await network.right.gateway.accountView(source, [])()
      if (E.isLeft(view)) return view
      views.set(source, view.right)
      const request = await requestOf(services, network.right, intent, view.right, head.right)
      if (E.isLeft(request)) return request
      if (request.right !== null) requests.push(request.right)
    }
    return E.right(requests)
  }

/** What a request pays is a refund, a payout, or the return of an exception. */
const isReadable = (reads: Reads, details: IntentDetails): boolean => {
  const tag = paidFor(details)?.tag ?? null
  return tag !== null && reads(tag === 'return' ? 'exceptions' : `${tag}s`)
}

const requestOf = async (
  { signRequest }: Pick<Services, 'signRequest'>,
  { gateway }: Network,
  { id, environment, row }: Found<IntentRow>,
  view: AccountView | null,
  head: LedgerHead,
) => {
  const paid = paidFor(row.details)
  if (paid === null || view === null) return E.right(null)
  const { destination, destinationMuxedId, assetId, amount } = paid.action
  const { networkPassphrase } = gateway
  const built = buildPayouts({
    sourceAccount: paid.account,
    nextAccountSequence: view.accountSequence + 1n,
    payingAccount: paid.account,
    payouts: [{ destination, assetId, amount, ...(destinationMuxedId === undefined ? {} : { destinationMuxedId }) }],
    memoText: row.details.memo,
    ledgerClosedAt: head.closedAt,
    lifetimeMs,
    fee: await firstBid(gateway, row.details.class),
    networkPassphrase,
  })
  if (E.isLeft(built)) throw new Error(`no transaction can hold ${id}: ${built.left._tag}`)
  const { envelopeXdr, maxTime } = built.right
  const uri = await signRequest(txUri({ envelopeXdr, networkPassphrase }))()
  return E.map((sep7: string) => ({
    object: 'signature_request' as const,
    for: paid.id,
    kind: paid.tag,
    account: paid.account,
    destination_address: destination,
    destination_muxed_id: destinationMuxedId ?? null,
    asset_id: assetId,
    amount: formatAmount(amount, assetId),
    memo: row.details.memo,
    transaction_xdr: envelopeXdr,
    network_passphrase: networkPassphrase,
    sep7_uri: sep7,
    expires_at: timestamp(maxTime),
    environment,
    created_at: timestamp(row.createdAt),
  }))(uri)
}

type Requested = Awaited<ReturnType<typeof requestOf>>
/** A payment that waits for the merchant's signature. */
export type SignatureRequest = NonNullable<Extract<Requested, { readonly _tag: 'Right' }>['right']>
