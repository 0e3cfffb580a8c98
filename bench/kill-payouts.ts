import { killWhilePayingOut } from '@quittance/http/testing/payout-kills/kill-run'
import { judge } from '@quittance/http/testing/payout-kills/verdict'
import { killRun } from './kill-run.ts'

/** Kills services by SIGKILL while they pay out; fails if money goes out twice or not at all. */
export const killPayouts = killRun(async (stage, kills, seed) => {
  const run = await killWhilePayingOut(stage, kills, seed)
  const [byHand, all] = [run.wanted.length, run.payouts.length]
  const figures = { 'payouts by hand': byHand, 'payouts by schedule': all - byHand }
  return { counts: run.kills, wrong: await judge(stage, run), figures }
})
