import { type Environment, Merchant, trustedAssets } from '@quittance/domain'
import { BASE_RESERVE } from '@quittance/ledger'
import type { SettlementSetUpRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { platform } from '../../kernel/platform.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { accountsDue, type FoundAccount } from './accounts-due.ts'
import { isAssetInUse } from './asset-in-use.ts'
import { fundServiceAccounts, giveFirstLumens } from './first-lumens.ts'
import { planSetUp } from './plan.ts'
import { type SettingUp, type Sponsor, sponsorIn } from './setting-up.ts'
import type { SetUpAccount } from './step-tries.ts'
import { takeSteps } from './take-steps.ts'

/** How many accounts are visited concurrently. */
const atOnce = 4

type Visit = {
  readonly of: SetUpAccount
  readonly row: SettlementSetUpRow
  /** The account that sponsors the reserves; null: the account itself. */
  readonly sponsor: Sponsor | null
}

/**
 * Advances the due set-ups of an environment. Each step is recorded as an intent; the account on the ledger shows its
 * effect.
 */
export const resumeSetUps = async (
  settingUp: SettingUp,
  environment: Environment,
): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network, pauses, raise } = settingUp
  const funded = await eachIsolated(services, environment, {
    loop: 'service_accounts',
    items: [{ merchantId: platform, environment, id: 'accounts' }],
    again: () => null,
    work: () => fundServiceAccounts(settingUp, environment),
  })
  if (E.isLeft(funded)) return funded
  const sponsor = sponsorIn(services, network, environment)
  const { settlementSetUps } = services.readModels
  const turns = await accountsDue(settingUp, environment)
  if (E.isLeft(turns)) return turns
  const visited = await eachIsolated(services, environment, {
    loop: 'set_up',
    items: turns.right,
    again: ({ id }) => settlementSetUps.withId(id),
    work: async (found) => {
      const { account, isDone } = found.row
      if (isDone || account === null) return E.right(undefined)
      return visitOne(settingUp, { ...found, account }, sponsor)
    },
    atOnce,
  })
  for (const trouble of pauses.troubles()) raise(trouble)
  return visited
}

const visitOne = async (
  settingUp: SettingUp,
  { merchantId, environment, row, account }: FoundAccount,
  sponsorOf: ReturnType<typeof sponsorIn>,
): Promise<E.Either<ProcessFailure, void>> => {
  const { pauses, ingested } = settingUp
  const of: SetUpAccount = { merchantId, environment, account, accountSetAt: row.accountSetAt }
  const sponsor = row.isSponsored ? await sponsorOf() : E.right(null)
  if (E.isLeft(sponsor)) return sponsor
  if (row.isSponsored && sponsor.right === null) {
    const cause = 'there is no operator account: quittance operator create'
    pauses.stuck(account, row.changed, ingested.closedAt, {
      _tag: 'SetUpStuck',
      account,
      reason: 'sponsor_missing',
      cause,
    })
    return E.right(undefined)
  }
  return visit(settingUp, { of, row, sponsor: sponsor.right })
}

const visit = async (settingUp: SettingUp, visited: Visit): Promise<E.Either<ProcessFailure, void>> => {
  const { services, network, pauses, ingested } = settingUp
  const { of, row, sponsor } = visited
  const { account } = of
  const assets = trustedAssets(account, [...row.assets, ...row.former])
  const view = await network.gateway.accountView(account, assets)()
  if (E.isLeft(view)) return view
  if (view.right === null)
    return sponsor === null
      ? E.right(giveFirstLumens(settingUp, account, row.changed))
      : takeSteps(settingUp, of, row.changed, sponsor, [
          { source: sponsor.account, action: { _tag: 'create_account', account }, reserve: 2n * BASE_RESERVE },
        ])
  const plan = planSetUp(
    { account, assets: row.assets, former: row.former, sponsor: sponsor?.account ?? null },
    view.right,
  )
  const removals: Array<(typeof plan.removable)[number]> = []
  for (const removal of plan.removable)
    if (!(await isAssetInUse(services.readModels, of, removal.assetId))) removals.push(removal)
  const steps = [
    ...plan.additions.map((action) => ({ source: account, action, reserve: BASE_RESERVE })),
    ...removals.map((action) => ({ source: account, action, reserve: 0n })),
  ]
  if (steps.length > 0) return takeSteps(settingUp, of, row.changed, sponsor, steps)
  if (plan.unaffordable.length > 0 || plan.kept.length > 0 || plan.removable.length > 0) {
    pauses.stuck(account, row.changed, ingested.closedAt, null)
    return E.right(undefined)
  }
  return complete(settingUp, visited)
}

/** Records that the set-up is complete, unless the merchant has changed something meanwhile. */
const complete = async (
  { services, ingested, pauses, friendbots }: SettingUp,
  { of, row }: Visit,
): Promise<E.Either<ProcessFailure, void>> => {
  const { merchantId, environment, account } = of
  const command = {
    type: 'CompleteSetUp' as const,
    environment,
    account,
    trusted: trustedAssets(account, row.assets),
    ledger: ingested.sequence,
  }
  const context = stepContext(of, `${environment}/${merchantId} set up ${row.changed}`, 'complete', ingested.closedAt)
  const decide = Merchant.decider.decide(command)
  const recorded = await stepUnless(services.store)(['SetUpOutdated'], Merchant, merchantId, context, decide)
  pauses.forget(account)
  friendbots?.forget(account)
  return E.map(() => undefined)(recorded)
}
