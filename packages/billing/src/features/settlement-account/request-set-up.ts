import { Merchant, type MerchantCommand, type MerchantRejection, type MerchantState } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { allOf } from '../../kernel/all-of.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, executeLater } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import type { Services } from '../../services/services.ts'
import { type AccountFailure, lacksAccount, preparedAccount } from '../merchants/settlement-account.ts'
import type { SettlementResource } from './resource.ts'
import type { SettlementFailure } from './settlement-failure.ts'

/** `isSponsored`: whether the operator's account keeps the reserves from now on; undefined: as before. */
export type SetUpRequest = { readonly isSponsored?: boolean | undefined }

export type SetUpFailure = AccountFailure | MerchantRejection | ExecuteFailure | SettlementFailure

/** What only the service can cure, and may have come about after the account was set up once. */
const curable: ReadonlySet<string> = new Set(['account_missing', 'account_pending', 'trustline_missing'])

/**
 * Gives a merchant a settlement account in the context's environment where there is none, and has one looked at again that
 * lacks what it once had, such as after a reset of a test network. A worker does the rest.
 */
export const requestSetUp =
  (services: Services, show: (context: CommandContext) => TE.TaskEither<SettlementFailure, SettlementResource>) =>
  (context: CommandContext, request: SetUpRequest): TE.TaskEither<SetUpFailure, SettlementResource> => {
    const { environment } = context
    const record = (commands: (merchant: MerchantState) => ReadonlyArray<MerchantCommand>, step: string) =>
      executeLater(services.store)(
        Merchant,
        context.merchantId,
        { ...context, commandId: derivedCommandId(context.commandId, step) },
        (merchant) => allOf(Merchant.decider, commands(merchant))(merchant),
      )
    return pipe(
      foundingOf(services, context),
      TE.chainW((founding) =>
        record(
          (merchant) => [...(lacksAccount(merchant, context) ? founding : []), ...sponsorship(context, request)],
          'found',
        ),
      ),
      TE.chainW(() => show(context)),
      TE.chainFirstW(({ problems }) =>
        problems.some(({ code }) => curable.has(code))
          ? record(() => [{ type: 'RequestSetUp', environment }], 'request')
          : TE.right(null),
      ),
    )
  }

const foundingOf = (services: Services, context: CommandContext) =>
  pipe(
    () => stateOf(services.store)(Merchant, context.merchantId),
    TE.chainW(({ state: merchant }) =>
      lacksAccount(merchant, context) ? preparedAccount(services, context) : TE.right([]),
    ),
  )

const sponsorship = ({ environment }: CommandContext, { isSponsored }: SetUpRequest): ReadonlyArray<MerchantCommand> =>
  isSponsored === undefined ? [] : [{ type: 'SetSponsorship', environment, isSponsored }]
