import {
  type AccountId,
  type AccountSequence,
  accountSequence,
  Channel,
  type ChannelCommand,
  type ChannelState,
  channelId,
  channelOf,
  type Environment,
} from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import type { ReadModels } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import { platform } from '../../kernel/platform.ts'
import { step, stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { type Ours, type StepTarget, transactionName } from './outgoing.ts'

type Numbers = Pick<ReadModels, 'channels'>

const newest = ({ channels }: Numbers, environment: Environment, account: AccountId, status: ChannelState['status']) =>
  channels.page({ merchantId: platform, environment, listedUnder: account, status, limit: 1 }).rows[0]?.id ?? null

/** Whether a transaction of ours has a number of this account that no closed ledger has used yet. */
export const isBusy = (readModels: Numbers, environment: Environment, account: AccountId): boolean =>
  newest(readModels, environment, account, 'taken') !== null

/** The number after the last used one: by us, as far as was ingested, or by anyone, as the ledger says. */
export const nextSequence = (
  readModels: Numbers,
  environment: Environment,
  { account, accountSequence: onLedger }: AccountView,
): AccountSequence => {
  const newestUsed = newest(readModels, environment, account, 'used')
  const used = newestUsed === null ? 0n : channelOf(newestUsed).sequence
  return accountSequence((used > onLedger ? used : onLedger) + 1n)
}

/** A sequence number of an account, as a transaction names it. */
type Numbered = { readonly sourceAccount: AccountId; readonly accountSequence: AccountSequence }

/** Takes a sequence number for a transaction; false if another one has it, or this one gave it back. */
export const takeSequence = async (
  { services, ingested }: StepTarget,
  ours: Ours,
  numbered: Numbered,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const rejections = ['SequenceIsTaken', 'SequenceIsUsed', 'SequenceWasFreed'] as const
  const taken = await stepUnless(services.store)(rejections, ...request(ingested, ours, numbered, 'TakeSequence'))
  return E.isLeft(taken) ? taken : E.right(taken.right !== null)
}

/** Records whether the transaction used its number in a ledger. */
export const endSequence = (
  { services, ingested }: StepTarget,
  ours: Ours,
  numbered: Numbered,
  type: 'FreeSequence' | 'UseSequence',
): Promise<E.Either<ExecuteFailure, Executed<ChannelState>>> =>
  step(services.store)(...request(ingested, ours, numbered, type))

/** A sequence number belongs to the platform alone. */
const request = (
  { closedAt }: StepTarget['ingested'],
  ours: Ours,
  { sourceAccount, accountSequence: sequence }: Numbered,
  type: ChannelCommand['type'],
) =>
  [
    Channel,
    channelId(sourceAccount, sequence),
    stepContext({ ...ours, merchantId: platform }, transactionName(ours), type, closedAt),
    Channel.decider.decide({ type, transactionHash: ours.hash }),
  ] as const
