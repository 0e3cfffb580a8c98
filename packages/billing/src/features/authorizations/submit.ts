import { asText, offeredIn } from '@quittance/domain'
import { readSignedCall, type SignedCall } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { ensureSelling } from '../../services/freezing.ts'
import { ensureUnlisted } from '../../services/holding.ts'
import { type Network, networkOf } from '../../services/services.ts'
import type { PayFailure } from '../paying/pay.ts'
import { ensureTimeBound, queue, type Submitted } from '../paying/submit-transaction.ts'
import { contractForNew } from './contract-for-new.ts'
import type { AuthorizationRequest } from './request.ts'
import { authorizationRequest } from './request.ts'
import type { AuthorizationServices } from './services.ts'

/**
 * Relays a wallet's signed transaction if it gives the requested authorisation. Its effect is read from the ledger. The
 * same bytes may be submitted again and return the same hash.
 */
export const submitAuthorization = async (
  services: AuthorizationServices,
  id: string,
  envelopeXdr: string,
): Promise<E.Either<PayFailure, Submitted>> => {
  const found = await authorizationRequest(services, id)
  if (E.isLeft(found)) return found
  const request = found.right
  const { environment, merchantId } = request.scope
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const { gateway } = network.right
  const signed = readSignedCall(envelopeXdr, gateway.networkPassphrase)
  if (E.isLeft(signed)) return signed
  const { view, call } = signed.right
  const { transactionHash, maxTime } = view
  if (!isRequested(request, network.right, call)) return E.left({ _tag: 'MandateNotOffered', transactionHash })
  const submitted = E.right({ transaction_hash: transactionHash })
  const { status } = request.progress
  if (status !== 'open') {
    const known = await gateway.lookUp(transactionHash)()
    if (E.isLeft(known)) return known
    return known.right._tag === 'Succeeded' ? submitted : E.left({ _tag: 'CheckoutNotOpen', status })
  }
  const bound = ensureTimeBound(maxTime, services.clock.now(environment))
  if (E.isLeft(bound)) return bound
  const selling = await ensureSelling(services, merchantId)
  if (E.isLeft(selling)) return selling
  const unlisted = await ensureUnlisted(services, [view.source])
  if (E.isLeft(unlisted)) return unlisted
  const queued = await queue(network.right, envelopeXdr, transactionHash)
  if (E.isLeft(queued)) return queued
  await services.relays.keep({ environment, transactionHash, envelopeXdr: asText(envelopeXdr), maxTime: bound.right })
  return submitted
}

const isRequested = (
  { id, reference, kind, state }: AuthorizationRequest,
  network: Network,
  call: SignedCall | null,
): boolean => {
  const { contract, mandateId } = state.authorization.mandate
  const offered: ReadonlyArray<string> = [contractForNew(network, contract), ...offeredIn(state.authorization, id)]
  switch (call?._tag) {
    case 'create':
      return offered.includes(call.contract) && call.reference === reference
    case 'renew_allowance':
      return call.contract === contract && kind === 'allowance' && call.mandate === mandateId
    case undefined:
      return false
  }
}
