import { straysOn } from '@quittance/http/testing/kills/books'
import { killWhileRefunding } from '@quittance/http/testing/refund-kills/kill-run'
import { judge } from '@quittance/http/testing/refund-kills/verdict'
import { killRun } from './kill-run.ts'

/** Kills services by SIGKILL while they give money back, and fails where money went out twice, or did not. */
export const killRefunds = killRun(async (stage, kills, seed) => {
  const run = await killWhileRefunding(stage, kills, seed)
  const returns = straysOn(stage.network.sandbox, run.account).length
  return { counts: run.kills, wrong: await judge(stage, run), figures: { refunds: run.wanted.length, returns } }
})
