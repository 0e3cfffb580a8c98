import { type AccountId, type AssetId, AuthorizationId, issuerOf, stroops } from '@quittance/domain'
import {
  BASE_RESERVE,
  buildSetUp,
  CUSTOMER_TRANSACTION_LIFETIME_MS,
  readEnvelope,
  readTrustline,
} from '@quittance/ledger'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { ensureSelling } from '../../services/freezing.ts'
import { ensureUnlisted } from '../../services/holding.ts'
import { type Network, networkOf } from '../../services/services.ts'
import { type BuiltTransaction, forWallet } from '../paying/build-transaction.ts'
import { notPayable, type PayFailure } from '../paying/pay.ts'
import { accountAt } from '../paying/payable-session.ts'
import { bidOfPayer, goingPrice } from '../paying/payer-bid.ts'
import { ensureFee } from '../paying/payer-funds.ts'
import type { PayerServices } from '../paying/services.ts'
import { publicSession } from '../paying/session.ts'
import { ensureTimeBound, queue, type Submitted } from '../paying/submit-transaction.ts'
import { authorizationRequest } from './request.ts'

/** What an open checkout, invoice or request for a new authorisation is to be paid in, and for whom. */
type Asked = { readonly scope: Scope; readonly assetId: AssetId }

const asked = async (services: PayerServices, id: string): Promise<E.Either<PayFailure, Asked>> => {
  if (AuthorizationId.is(id)) {
    const request = await authorizationRequest(services, id)
    if (E.isLeft(request)) return request
    const { scope, assetId, progress } = request.right
    return progress.status === 'open'
      ? E.right({ scope, assetId })
      : E.left({ _tag: 'CheckoutNotOpen', status: progress.status })
  }
  const session = await publicSession(services, id)
  if (E.isLeft(session)) return session
  const { found, state } = session.right
  return state.status === 'open'
    ? E.right({ scope: found, assetId: state.details.assetId })
    : E.left(notPayable(session.right))
}

const ready = async (
  services: PayerServices,
  id: string,
  wallet: AccountId,
): Promise<E.Either<PayFailure, Asked & { readonly network: Network }>> => {
  const found = await asked(services, id)
  if (E.isLeft(found)) return found
  const { merchantId, environment } = found.right.scope
  const selling = await ensureSelling(services, merchantId)
  if (E.isLeft(selling)) return selling
  const unlisted = await ensureUnlisted(services, [wallet])
  if (E.isLeft(unlisted)) return unlisted
  return E.map((network: Network) => ({ ...found.right, network }))(networkOf(services, environment))
}

/**
 * An unsigned transaction with which a wallet comes to hold the requested asset, and nothing else.
 * Errors: `TrustlineNotNeeded` if it can hold it already; `PayerUnfit` if it lacks the XLM for the reserve and the fee.
 */
export const trustlineTransaction = async (
  services: PayerServices,
  id: string,
  wallet: AccountId,
): Promise<E.Either<PayFailure, BuiltTransaction>> => {
  const subject = await ready(services, id, wallet)
  if (E.isLeft(subject)) return subject
  const { assetId, network } = subject.right
  const { gateway } = network
  const head = await gateway.latestLedger()()
  if (E.isLeft(head)) return head
  const view = await accountAt(network, wallet, [assetId])
  if (E.isLeft(view)) return view
  const { trustlines, accountSequence } = view.right
  if (issuerOf(assetId) === null || issuerOf(assetId) === wallet || trustlines.length > 0)
    return E.left({ _tag: 'TrustlineNotNeeded', assetId })
  const fee = bidOfPayer(await goingPrice(gateway, 'classic'))
  const funded = ensureFee(view.right, stroops(BASE_RESERVE + fee))
  if (E.isLeft(funded)) return funded
  const { envelopeXdr, maxTime } = buildSetUp({
    sourceAccount: wallet,
    nextAccountSequence: accountSequence + 1n,
    account: wallet,
    setUp: { _tag: 'trustlines', sponsor: null, changes: [{ assetId, limit: 'maximum' }] },
    ledgerClosedAt: head.right.closedAt,
    lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
    fee,
    networkPassphrase: gateway.networkPassphrase,
  })
  return forWallet(services, network, { envelopeXdr, maxTime, kind: 'trustline', sendMax: null, mandate: null })
}

/**
 * Relays a signed transaction that makes a wallet hold the requested asset; null for any other transaction. It is neither
 * recorded nor sent again: it moves no money, and whoever signed it is there to send it again.
 */
export const submitTrustline = async (
  services: PayerServices,
  id: string,
  envelopeXdr: string,
): Promise<E.Either<PayFailure, Submitted> | null> => {
  const wish = readTrustline(envelopeXdr)
  if (wish === null) return null
  const subject = await ready(services, id, wish.account)
  if (E.isLeft(subject)) return subject
  const { assetId, network, scope } = subject.right
  if (wish.assetId !== assetId) return E.left({ _tag: 'NotAPaymentForThisCheckout' })
  const envelope = readEnvelope(envelopeXdr, network.gateway.networkPassphrase)
  if (E.isLeft(envelope)) return envelope
  const { transactionHash, maxTime } = envelope.right
  const bound = ensureTimeBound(maxTime, services.clock.now(scope.environment))
  if (E.isLeft(bound)) return bound
  const queued = await queue(network, envelopeXdr, transactionHash)
  return E.isLeft(queued) ? queued : E.right({ transaction_hash: transactionHash })
}
