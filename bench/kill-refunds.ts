import { straysOn } from '@quittance/http/testing/kills/books'
import { killWhileRefunding } from '@quittance/http/testing/refund-kills/kill-run'
import { judge } from '@quittance/http/testing/refund-kills/verdict'
import { killRun } from './kill-run.ts'

/** Kills services by SIGKILL while they refund; fails if money goes out twice or not at all. */
export const killRefunds = killRun(async (stage, kills, seed) => {
  const run = await killWhileRefunding(stage, kills, seed)
  const returns = straysOn(stage.network.sandbox, run.account).length
  return { counts: run.kills, wrong: await judge(stage, run), figures: { refunds: run.wanted.length, returns } }
})
