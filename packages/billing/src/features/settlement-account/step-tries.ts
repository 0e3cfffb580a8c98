import { type AccountId, asText, type IntentAction, SetUpId, type UnixMs } from '@quittance/domain'
import type { IntentRow, ReadModels, Scope } from '@quittance/projections'
import { countRun } from '../../kernel/count-run.ts'
import { createdId, derivedCommandId } from '../../kernel/derive.ts'

/** The merchant's account to set up, and the time at which it became the settlement account. */
export type SetUpAccount = Scope & { readonly account: AccountId; readonly accountSetAt: UnixMs }

/** The tries of a step: their count, and the last one. */
export type Tries = { readonly count: number; readonly last: IntentRow | null }

/** The owner of a step's try, counted from 0. It is derived, so a repeated try records nothing twice. */
export const setUpOwner = (of: SetUpAccount, action: IntentAction, tried: number) => {
  const { merchantId, environment, account, accountSetAt } = of
  const cause = `${environment}/${merchantId}/${account} set up`
  return asText(createdId(SetUpId, accountSetAt, derivedCommandId(cause, `${nameOf(action)} ${tried}`)))
}

/** The same change with a sponsor is a different step. */
const nameOf = (action: IntentAction): string => {
  switch (action._tag) {
    case 'change_trust':
      return [action._tag, action.assetId, action.limit, action.sponsor ?? 'own'].join(' ')
    case 'create_account':
      return [action._tag, action.account].join(' ')
    case 'payment':
    case 'charge':
    case 'mandate_cancellation':
    case 'rotate_key':
    case 'set_recovery_signer':
    case 'keep_contract':
    case 'anchor':
      throw new Error(`an account is not set up by a ${action._tag}`)
  }
}

export const triesOf = async (
  { intents }: Pick<ReadModels, 'intents'>,
  of: SetUpAccount,
  action: IntentAction,
): Promise<Tries> => {
  const tried = async (number: number): Promise<IntentRow | null> =>
    (await intents.withKey(setUpOwner(of, action, number)))[0]?.row ?? null
  const count = await countRun(async (number) => (await tried(number)) !== null)
  return { count, last: count === 0 ? null : await tried(count - 1) }
}

/** The number of ledgers by which a node may be behind ingestion. */
const behindLedgers = 10

/** Whether a step is under way, may be tried, or has just failed. */
export type StepStanding = 'under_way' | 'untried' | 'failed'

/**
 * The standing of a step that the node's view of the account does not show. `ingested` is the newest ingested ledger.
 */
export const standingOf = ({ last }: Tries, ingested: number): StepStanding => {
  switch (last?.status) {
    case undefined:
      return 'untried'
    case 'waiting':
    case 'attached':
      return 'under_way'
    case 'settled':
    case 'refused':
    case 'given_up':
    case 'reported': {
      const { end } = last
      if (end._tag !== 'settled') return 'failed'
      // The step has settled: either the node is behind, or its effect was undone since.
      return ingested - end.ledger < behindLedgers ? 'under_way' : 'untried'
    }
  }
}
