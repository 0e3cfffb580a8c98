import {
  type AccountId,
  type AccountSequence,
  accountSequence,
  Channel,
  type ChannelCommand,
  type ChannelRejection,
  type ChannelState,
  channelId,
  channelOf,
  type Environment,
} from '@quittance/domain'
import type { AccountView } from '@quittance/ledger'
import type { ReadModels } from '@quittance/projections'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Executed, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { platform } from '../../kernel/platform.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { type Ours, type Outgoing, transactionName } from './outgoing.ts'

type Numbers = Pick<ReadModels, 'channels'>
const newest = ({ channels }: Numbers, environment: Environment, account: AccountId, status: ChannelState['status']) =>
  channels.page({ merchantId: platform, environment, customerId: account, status, limit: 1 }).rows[0]?.id ?? null

/** Whether a transaction of ours has a number of this account that no closed ledger has used yet. */
export const isBusy = (readModels: Numbers, environment: Environment, account: AccountId): boolean =>
  newest(readModels, environment, account, 'taken') !== null

/** The number after the last one that was used: by us as far as was ingested, or by anyone as the ledger says. */
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

/** Gives a step of a transaction's walk to its sequence number, which is nobody's but the platform's. */
export const toSequence = (
  { services, ingested }: Pick<Outgoing, 'services' | 'ingested'>,
  ours: Ours,
  { sourceAccount, accountSequence: sequence }: Numbered,
  type: ChannelCommand['type'],
): TE.TaskEither<ChannelRejection | ExecuteFailure, Executed<ChannelState>> =>
  executeLater(services.store)(
    Channel,
    channelId(sourceAccount, sequence),
    stepContext({ ...ours, merchantId: platform }, transactionName(ours), type, ingested.closedAt),
    Channel.decider.decide({ type, transactionHash: ours.hash }),
  )
