import { killWhileRenewing } from '@quittance/http/testing/renewal-kills/kill-run'
import { judge } from '@quittance/http/testing/renewal-kills/verdict'
import { killRun } from './kill-run.ts'

/** Kills services by SIGKILL while subscriptions renew; fails if a period is charged twice or recorded wrongly. */
export const killRenewals = killRun(async (stage, kills, seed) => {
  const counts = await killWhileRenewing(stage, kills, seed)
  const { wrong, ...figures } = await judge(stage)
  return { counts, wrong, figures }
})
