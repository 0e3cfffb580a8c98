import { type Environment, Merchant, trustedAssets } from '@quittance/domain'
import { type AccountView, BASE_RESERVE } from '@quittance/ledger'
import type { SettlementSetUpRow } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { platform } from '../../kernel/platform.ts'
import { stepUnless } from '../../kernel/step.ts'
import { stepContext } from '../../kernel/step-context.ts'
import { eachIsolated } from '../../services/each-isolated.ts'
import type { ProcessFailure } from '../../services/process-failure.ts'
import { recordRecoverySigning, recoverySigningsOf, recoverySigningUnderWay } from '../outgoing/recovery-signers.ts'
import { accountsDue, type FoundAccount } from './accounts-due.ts'
import { isAssetInUse } from './asset-in-use.ts'
import { fundServiceAccounts, giveFirstLumens } from './first-lumens.ts'
import { planSetUp } from './plan.ts'
import { type SettingUp, type Sponsor, sponsorIn } from './setting-up.ts'
import { costOfEntry } from './standing.ts'
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
    again: async () => null,
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
  const isWhole = plan.unaffordable.length === 0
  const isSigning = await recordRecovery(settingUp, visited, view.right, isWhole ? plan.additions.length : null)
  if (E.isLeft(isSigning)) return isSigning
  // No trustline is there before the signer is, so the account holds no asset without it.
  if (steps.length > 0 && isSigning.right) return E.right(pauses.moved(account, row.changed, ingested.closedAt))
  if (steps.length > 0) return takeSteps(settingUp, of, row.changed, sponsor, steps)
  if (plan.unaffordable.length > 0 || plan.kept.length > 0 || plan.removable.length > 0) {
    pauses.stuck(account, row.changed, ingested.closedAt, null)
    return E.right(undefined)
  }
  return complete(settingUp, visited)
}

/**
 * Records, for an account that has none yet and can afford it beside its missing trustlines (null: not even those), that it is to
 * have the operator's recovery signer. Answers whether the signer is under way. Thresholds are set by a person.
 */
const recordRecovery = async (
  { services, network, ingested }: SettingUp,
  { of, sponsor }: Visit,
  view: AccountView,
  missingLines: number | null,
): Promise<E.Either<ProcessFailure, boolean>> => {
  const { recoverySigner: signer = null } = network
  const { account, environment } = of
  if (signer === null) return E.right(false)
  if ((await recoverySigningsOf(services.readModels, environment, account)).length > 0)
    return E.right((await recoverySigningUnderWay(services.readModels, environment, account)) !== null)
  if (missingLines === null) return E.right(false)
  const cost = BigInt(missingLines + 1) * costOfEntry()
  const isAffordable = sponsor === null ? view.nativeSpendable >= cost : sponsor.grants(cost)
  if (!isAffordable) return E.right(false)
  const sponsoring = sponsor === null ? {} : { sponsor: sponsor.account }
  const recorded = await recordRecoverySigning(services, of, {
    account,
    number: 0,
    action: { _tag: 'set_recovery_signer', signer, isProtected: false, ...sponsoring },
    at: ingested.closedAt,
  })
  return E.map(() => true)(recorded)
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
