import { type AccountId, endOf, type IntentAction } from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { recordIntent } from '../outgoing/record-intent.ts'
import type { SettlementTrouble } from '../outgoing/trouble.ts'
import type { SettingUp, Sponsor } from './setting-up.ts'
import { type SetUpAccount, setUpOwner, standingOf, triesOf } from './step-tries.ts'

/** A step of a set-up. `reserve` is the amount of lumens, in stroops, that it reserves. */
export type SetUpStep = { readonly source: AccountId; readonly action: IntentAction; readonly reserve: bigint }

/**
 * Records the steps of an account, all or none: while one is under way, the others wait, so that it is known what the
 * account can afford. A failed step is tried again after a pause.
 */
export const takeSteps = async (
  { services, ingested, pauses }: SettingUp,
  of: SetUpAccount,
  stamp: string,
  sponsor: Sponsor | null,
  steps: ReadonlyArray<SetUpStep>,
): Promise<E.Either<ProcessFailure, void>> => {
  const { account } = of
  const tried = await Promise.all(
    steps.map(async (step) => {
      const tries = await triesOf(services.readModels, of, step.action)
      return { ...step, tries, standing: standingOf(tries, ingested.sequence) }
    }),
  )
  const stuck = (trouble: SettlementTrouble): E.Either<never, void> =>
    E.right(pauses.stuck(account, stamp, ingested.closedAt, trouble))
  const reserve = steps.reduce((sum, step) => sum + step.reserve, 0n)
  const isGranted = sponsor === null || reserve === 0n || sponsor.grants(reserve)
  if (tried.some(({ standing }) => standing === 'under_way'))
    return E.right(pauses.moved(account, stamp, ingested.closedAt))
  if (!isGranted) {
    const cause = `${sponsor.account} has too few lumens for the reserves of ${account}`
    return stuck({ _tag: 'SetUpStuck', account, reason: 'sponsor_cannot_pay', cause })
  }
  for (const { source, action, tries } of tried) {
    const owner = setUpOwner(of, action, tries.count)
    const wanted = { class: 'set_up' as const, owner, source, action, memo: null, at: ingested.closedAt }
    const recorded = await recordIntent(services, of, wanted)
    if (E.isLeft(recorded)) return recorded
  }
  const failed = tried.find(({ standing }) => standing === 'failed')
  if (failed === undefined) return E.right(pauses.moved(account, stamp, ingested.closedAt))
  const end = failed.tries.last === null ? null : endOf(failed.tries.last)
  const code = end === null || end._tag === 'settled' ? undefined : end.code
  const cause = code ?? 'no ledger has taken it'
  return stuck({ _tag: 'SetUpStuck', account, reason: 'step_failed', cause })
}
