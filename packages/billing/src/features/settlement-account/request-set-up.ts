import { Merchant, type MerchantCommand, type MerchantRejection, type MerchantState } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { allOf } from '../../kernel/all-of.ts'
import { derivedCommandId } from '../../kernel/derive.ts'
import { type CommandContext, type ExecuteFailure, execute } from '../../kernel/execute.ts'
import { stateOf } from '../../kernel/load.ts'
import { type AccountFailure, lacksAccount, preparedAccount } from '../merchants/settlement-account.ts'
import type { SettlementResource } from './resource.ts'
import type { SettlementAccountServices } from './services.ts'
import type { SettlementFailure } from './settlement-failure.ts'

/** `isSponsored`: whether the operator's account sponsors the reserves from now on; undefined: unchanged. */
export type SetUpRequest = { readonly isSponsored?: boolean | undefined }

export type SetUpFailure = AccountFailure | MerchantRejection | ExecuteFailure | SettlementFailure

/** Problems that only the service can solve, and that may arise after the set-up. */
const curable: ReadonlySet<string> = new Set(['account_missing', 'account_pending', 'trustline_missing'])

/**
 * Gives a merchant a settlement account in the context's environment if there is none, and requests another set-up of
 * an account that has lost something, such as after a reset of a test network. A worker does the rest. Returns the
 * account as it was before that work.
 */
export const requestSetUp = async (
  services: SettlementAccountServices,
  show: (scope: Scope) => Promise<E.Either<SettlementFailure, SettlementResource>>,
  context: CommandContext,
  request: SetUpRequest,
): Promise<E.Either<SetUpFailure, SettlementResource>> => {
  const { environment, merchantId } = context
  const record = (step: string, commands: (merchant: MerchantState) => ReadonlyArray<MerchantCommand>) => {
    const own = { ...context, commandId: derivedCommandId(context.commandId, step) }
    return execute(services.store)(Merchant, merchantId, own, (merchant) =>
      allOf(Merchant.decider, commands(merchant))(merchant),
    )
  }
  const merchant = await stateOf(services.store)(Merchant, merchantId)
  if (E.isLeft(merchant)) return merchant
  const founding = lacksAccount(merchant.right.state, context) ? await preparedAccount(services, context) : E.right([])
  if (E.isLeft(founding)) return founding
  const founded = await record('found', (state) => [
    ...(lacksAccount(state, context) ? founding.right : []),
    ...sponsorship(context, request),
  ])
  if (E.isLeft(founded)) return founded
  const shown = await show(context)
  if (E.isLeft(shown) || !shown.right.problems.some(({ code }) => curable.has(code))) return shown
  const requested = await record('request', () => [{ type: 'RequestSetUp', environment }])
  return E.isLeft(requested) ? requested : shown
}

const sponsorship = ({ environment }: CommandContext, { isSponsored }: SetUpRequest): ReadonlyArray<MerchantCommand> =>
  isSponsored === undefined ? [] : [{ type: 'SetSponsorship', environment, isSponsored }]
