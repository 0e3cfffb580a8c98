import { type AssetId, type ContractId, type Environment, hourMs, minuteMs } from '@quittance/domain'
import {
  formerMandateCode,
  type LedgerGateway,
  type LedgerUnreachable,
  readContract,
  tokenContractOf,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { type NetworkNotConfigured, networkOf } from '../../services/services.ts'
import { makeOwnKeys, operatorAccount } from '../outgoing/signing-accounts.ts'
import type { MandatesNotConfigured } from './failures.ts'
import type { MandateServices } from './services.ts'

/** Subscriptions are configured, but what collects their charges is not on the ledger, or outdated: none may be sold until it is. */
export type CannotCollect = {
  readonly _tag: 'CannotCollect'
  readonly environment: Environment
  readonly because: 'contract_missing' | 'contract_former' | 'operator_missing' | 'token_missing'
}

const seenForMs = 5 * minuteMs

type Failure = CannotCollect | MandatesNotConfigured | NetworkNotConfigured | LedgerUnreachable

/** Why no mandate can be made in a contract; null if it runs today's code. */
export const unfitContract = async (
  gateway: LedgerGateway,
  contract: ContractId,
): Promise<E.Either<LedgerUnreachable, 'contract_missing' | 'contract_former' | null>> => {
  const found = await readContract(gateway)(contract)()
  if (E.isLeft(found)) return found
  if (found.right === null || found.right.code === null) return E.right('contract_missing')
  return E.right(formerMandateCode.has(found.right.code.sha256) ? 'contract_former' : null)
}

/**
 * Ensures that the mandate contract with today's code, the operator's account and the asset's token contract are on the ledger, as seen
 * within five minutes. If no node answers, a sighting within an hour counts; otherwise fails with `LedgerUnreachable`.
 */
export const ensureCollecting = async (
  services: MandateServices,
  environment: Environment,
  assetId: AssetId,
): Promise<E.Either<Failure, void>> => {
  const network = networkOf(services, environment)
  if (E.isLeft(network)) return network
  const { mandateContract: contract, gateway, provision } = network.right
  await makeOwnKeys(services, network.right, environment)
  const operator = await operatorAccount(services, environment)
  if (contract === null || operator === null) return E.left({ _tag: 'MandatesNotConfigured' })
  const { seenCollecting: seen } = services
  if (seen.isRecent(environment, assetId, seenForMs)) return E.right(undefined)
  const orTrusted = (unreachable: E.Left<LedgerUnreachable>): E.Either<Failure, void> =>
    seen.isRecent(environment, assetId, hourMs) ? E.right(undefined) : unreachable
  const missing = (because: CannotCollect['because']): E.Either<Failure, void> =>
    E.left({ _tag: 'CannotCollect', environment, because })
  const unfit = await unfitContract(gateway, contract)
  if (E.isLeft(unfit)) return orTrusted(unfit)
  if (unfit.right !== null) return missing(unfit.right)
  const token = await readContract(gateway)(tokenContractOf(assetId, gateway.networkPassphrase))()
  if (E.isLeft(token)) return orTrusted(token)
  if (token.right === null) return missing('token_missing')
  // A network that sets accounts up creates the operator's account once it is needed.
  if (provision === null) {
    const account = await gateway.accountView(operator.account, [])()
    if (E.isLeft(account)) return orTrusted(account)
    if (account.right === null) return missing('operator_missing')
  }
  seen.keep(environment, assetId)
  return E.right(undefined)
}
