import {
  Merchant,
  type MerchantRejection,
  type MerchantState,
  type PlatformFee,
  type RecordedEvent,
  type Text,
  type UnixMs,
} from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { type StoreUnavailable, stateOf } from '../../kernel/load.ts'
import { decisionResource, platformFeeFields } from '../../resources/platform-fee.ts'
import type { Services } from '../../services/services.ts'

/** `from`: null for at once. */
export type NewPlatformFee = {
  readonly fee: PlatformFee
  readonly from: UnixMs | null
  readonly by: Text
  readonly reason: Text
}

type MerchantNotFound = Extract<MerchantRejection, { readonly _tag: 'MerchantNotFound' }>

/** What the operator takes of a merchant's sales. */
export interface PlatformFees {
  /** It counts for what is sold from then on; earlier decisions that were still ahead are dropped. */
  readonly set: (
    context: CommandContext,
    wanted: NewPlatformFee,
  ) => TE.TaskEither<ExecuteFailure | MerchantRejection, PlatformFeeResource>
  readonly show: (scope: Scope) => TE.TaskEither<StoreUnavailable | MerchantNotFound, PlatformFeeResource>
}

export const platformFees = ({ store, clock }: Pick<Services, 'store' | 'clock'>): PlatformFees => ({
  set:
    (context, { from, ...wanted }) =>
    async () => {
      const { merchantId, environment, at } = context
      const decision = { ...wanted, from: from ?? at, setAt: at }
      const decide = Merchant.decider.decide({ type: 'SetPlatformFee', environment, ...decision })
      const set = await execute(store)(Merchant, merchantId, context, decide)
      return E.isLeft(set) ? set : shown(set.right, context, at)
    },
  show: (scope) => async () => {
    const found = await stateOf(store)(Merchant, scope.merchantId)
    return E.isLeft(found) ? found : shown(found.right, scope, clock.now(scope.environment))
  },
})

type Loaded = { readonly state: MerchantState; readonly events: ReadonlyArray<RecordedEvent> }

const shown = (
  { state }: Loaded,
  { merchantId, environment }: Scope,
  at: UnixMs,
): E.Either<MerchantNotFound, PlatformFeeResource> =>
  state.status === 'absent'
    ? E.left({ _tag: 'MerchantNotFound' })
    : E.right(resource(merchantId, environment, state.environments[environment].platformFees, at))

const resource = (
  merchantId: string,
  environment: Scope['environment'],
  decisions: Parameters<typeof platformFeeFields>[0],
  at: UnixMs,
) => ({
  object: 'platform_fee' as const,
  merchant_id: merchantId,
  environment,
  ...platformFeeFields(decisions, at),
  decisions: decisions.map(decisionResource),
})
/** What the operator takes of a merchant, as it is shown. */
export type PlatformFeeResource = ReturnType<typeof resource>
