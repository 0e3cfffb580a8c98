import { parseArgs } from 'node:util'
import { openStage } from '../apps/http/src/testing/refund-kills/stage.ts'
import { killWhileRenewing } from '../apps/http/src/testing/renewal-kills/kill-run.ts'
import { judge } from '../apps/http/src/testing/renewal-kills/verdict.ts'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const shownWrong = 10

/** `--kills` deaths (200: some ten minutes) of the seed `--seed`, or of a new one. */
const wantedIn = (flags: ReadonlyArray<string>) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...flags], options: { kills: text, seed: text, json: { type: 'boolean' } } })
  return { kills: Number(values.kills ?? 200), seed: Number(values.seed ?? Date.now() % 1_000_000) }
}

/** Kills services by SIGKILL while subscriptions renew, and fails where a period was charged twice, or wrongly told. */
export const killRenewals: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const { kills, seed } = wantedIn(flags)
    process.stdout.write(`seed ${seed}\n`)
    const stage = await openStage(folder)
    const startedAt = performance.now()
    try {
      const counts = await killWhileRenewing(stage, kills, seed)
      const seconds = (performance.now() - startedAt) / 1_000
      const { wrong, ...figures } = await judge(stage)
      const found = Object.entries(wrong)
      for (const [what, each] of found)
        for (const words of each.slice(0, shownWrong)) process.stdout.write(`${what}: ${words}\n`)
      if (found.some(([, each]) => each.length > 0)) process.exitCode = 1
      return {
        seed: String(seed),
        kills,
        seconds,
        ...figures,
        ...Object.fromEntries(Object.entries(counts).map(([name, count]) => [`killed ${name}`, count])),
        ...Object.fromEntries(found.map(([what, each]) => [`wrong: ${what}`, each.length])),
      }
    } finally {
      await stage.close()
    }
  })
