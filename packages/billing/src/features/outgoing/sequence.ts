import {
  type AccountId,
  type AccountSequence,
  accountSequence,
  asText,
  Channel,
  type ChannelCommand,
  type ChannelState,
  channelId,
  channelOf,
  type Environment,
  numberLine,
} from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import type { ReadModels } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { resetsOf } from '../../kernel/epoch.ts'
import type { Executed, ExecuteFailure } from '../../kernel/execute.ts'
import type { StoreUnavailable } from '../../kernel/load.ts'
import { platform } from '../../kernel/platform.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import type { Services } from '../../services/services.ts'
import { type Ours, type Outgoing, type StepTarget, transactionName } from './outgoing.ts'

type Numbers = Pick<ReadModels, 'channels' | 'networkEpochs'>

const newest = async (
  { channels, networkEpochs }: Numbers,
  environment: Environment,
  account: AccountId,
  status: ChannelState['status'],
) => {
  const listedUnder = numberLine(account, await resetsOf({ networkEpochs }, environment))
  return (await channels.page({ merchantId: platform, environment, listedUnder, status, limit: 1 })).rows[0]?.id ?? null
}

/** Whether a transaction of ours has a number of this account that no closed ledger has used yet. */
export const isBusy = async (readModels: Numbers, environment: Environment, account: AccountId): Promise<boolean> =>
  (await newest(readModels, environment, account, 'taken')) !== null

/** The number after the last used one: by us, as far as was ingested, or by anyone, as the ledger says. */
export const nextSequence = async (
  readModels: Numbers,
  environment: Environment,
  { account, accountSequence: onLedger }: AccountView,
): Promise<AccountSequence> => {
  const newestUsed = await newest(readModels, environment, account, 'used')
  const used = newestUsed === null ? 0n : channelOf(newestUsed).sequence
  return accountSequence((used > onLedger ? used : onLedger) + 1n)
}

/** An account that was created in a ledger begins with that ledger's number in the upper half. */
const isUnused = (sequence: bigint): boolean => (sequence & 0xffff_ffffn) === 0n

/**
 * Whether the log knows of the newest number that the ledger shows as used: by a transaction of ours or by one that ingestion
 * found there. If not, ingestion is behind, or the log went back further than ingestion did: then nothing is sent until a
 * person accepts it. What was used before the log's first number of an account is not known, and need not be.
 */
export const isSequenceKnown = async (
  { services, ingested }: Pick<Outgoing, 'services' | 'ingested'>,
  environment: Environment,
  { account, accountSequence: onLedger, asOf }: AccountView,
): Promise<E.Either<ExecuteFailure | StoreUnavailable, boolean>> => {
  const newestUsed = await newest(services.readModels, environment, account, 'used')
  if (newestUsed === null || onLedger <= channelOf(newestUsed).sequence || isUnused(onLedger)) return E.right(true)
  if (asOf === undefined || asOf > ingested.sequence) return E.right(false)
  const acceptances = await services.logStanding.acceptances()
  if (E.isLeft(acceptances)) return acceptances
  const number = asText(onLedger.toString())
  const isAccepted = acceptances.right.some(({ forgotten }) =>
    forgotten.some((each) => each.account === account && each.accountSequence === number),
  )
  if (isAccepted) return E.right(true)
  const found = { environment, account, transactionHash: null, accountSequence: number }
  const suspected = await services.logStanding.suspect({ ...found, ledger: ingested.sequence })
  return E.isLeft(suspected) ? suspected : E.right(false)
}

/** A sequence number of an account, as a transaction names it. */
type Numbered = { readonly sourceAccount: AccountId; readonly accountSequence: AccountSequence }

type NumberTarget = StepTarget & { readonly services: Pick<Services, 'readModels'> }

/** Takes a sequence number for a transaction; false if another one has it, or this one gave it back. */
export const takeSequence = async (
  target: NumberTarget,
  ours: Ours,
  numbered: Numbered,
): Promise<E.Either<ExecuteFailure, boolean>> => {
  const rejections = ['SequenceIsTaken', 'SequenceIsUsed', 'SequenceWasFreed'] as const
  const taken = await stepUnless(target.services.store)(
    rejections,
    ...(await request(target, ours, numbered, 'TakeSequence')),
  )
  return E.isLeft(taken) ? taken : E.right(taken.right !== null)
}

/** Records whether the transaction used its number in a ledger. Null if a ledger shows that another one did. */
export const endSequence = async (
  target: NumberTarget,
  ours: Ours,
  numbered: Numbered,
  type: 'FreeSequence' | 'UseSequence',
): Promise<E.Either<ExecuteFailure, Executed<ChannelState> | null>> =>
  stepUnless(target.services.store)(['SequenceIsUsed'], ...(await request(target, ours, numbered, type)))

/** A sequence number belongs to the platform alone. */
const request = async (
  { services: { readModels }, ingested: { closedAt } }: NumberTarget,
  ours: Ours,
  { sourceAccount, accountSequence: sequence }: Numbered,
  type: ChannelCommand['type'],
) =>
  [
    Channel,
    channelId(sourceAccount, sequence, await resetsOf(readModels, ours.environment)),
    stepContext({ ...ours, merchantId: platform }, transactionName(ours), type, closedAt),
    Channel.decider.decide({ type, transactionHash: ours.hash }),
  ] as const
