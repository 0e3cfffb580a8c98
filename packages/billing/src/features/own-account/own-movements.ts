import { asText, Funding, FundingId, type OwnMovement, stroops } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { everyInTurn } from '../../kernel/checks-in-turn.ts'
import { createdId } from '../../kernel/derive.ts'
import type { ExecuteFailure } from '../../kernel/execute.ts'
import { step } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Owner } from '../../services/owners.ts'
import type { Services } from '../../services/services.ts'
import { type LeftOver, leftOverKey } from '../book-lines/left-over.ts'
import { ownAccounts } from '../funding/own-accounts.ts'
import { intentPaidBy } from './paid-by-hand.ts'

type Reading = Pick<Services, 'readModels' | 'vault'>

/**
 * Whether movements that no event of the service explains are the merchant's or the operator's own. In the merchant's
 * custody all are, except a second payment of something already paid. In the service's custody, only payments to
 * another account of the service or the merchant are.
 */
export const isOwnDoing = async (services: Reading, owner: Owner, parts: ReadonlyArray<Movement>): Promise<boolean> =>
  owner.custody === 'merchant'
    ? await everyInTurn(parts, async (part) => (await intentPaidBy(services.readModels, owner, part)) === null)
    : await isTopUp(services, owner, parts)

const isTopUp = async (
  services: Reading,
  { merchantId, environment }: Owner,
  parts: ReadonlyArray<Movement>,
): Promise<boolean> => {
  const paid = parts.filter(({ _tag }) => _tag === 'payment')
  if (paid.length === 0 || parts.some(({ _tag }) => _tag !== 'payment' && _tag !== 'fee')) return false
  const watched = (await services.readModels.merchants.withId(merchantId))?.row.watched ?? []
  const merchants = watched.flatMap((each) => (each.environment === environment ? [each.account] : []))
  const own = new Set([...merchants, ...(await ownAccounts(services, environment))])
  return paid.every(
    ({ delta, counterparty }) => delta < 0n && counterparty?._tag === 'account' && own.has(counterparty.account),
  )
}

/** Books the movement once, however often the ledger is ingested. */
export const bookOwnMovement = async (
  { store }: Pick<Services, 'store'>,
  owner: Owner,
  change: LeftOver,
): Promise<E.Either<ExecuteFailure, void>> => {
  const { account, assetId, delta, movements, transactionHash, operationIndex, ledger, closedAt } = change
  const movement: OwnMovement = {
    account,
    assetId,
    amount: stroops(delta < 0n ? -delta : delta),
    direction: delta < 0n ? 'loss' : 'gain',
    movements: movements.map((each) => asText(each)),
    transactionHash,
    operationIndex,
    ledger,
    closedAt,
  }
  const context = stepContext(owner, `${owner.environment}/${leftOverKey(change)}`, 'own movement', closedAt)
  const id = createdId(FundingId, closedAt, context.commandId)
  const decide = Funding.decider.decide({ type: 'BookOwnMovement', ...movement })
  return E.map(() => undefined)(await step(store)(Funding, id, context, decide))
}
