import { killWhileRotating } from '@quittance/http/testing/rotation-kills/kill-run'
import { judge } from '@quittance/http/testing/rotation-kills/verdict'
import { killRun } from './kill-run.ts'

/** Kills services and commands by SIGKILL while keys rotate; fails if a key keeps weight, or money moves twice or not at all. */
export const killRotations = killRun(async (stage, kills, seed) => {
  const run = await killWhileRotating(stage, kills, seed)
  const { wrong, ...figures } = await judge(stage, run)
  return {
    counts: run.kills,
    wrong,
    figures: { ...figures, 'rotations asked for': run.rotations, refunds: run.refunds },
  }
})
