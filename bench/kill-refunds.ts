import { parseArgs } from 'node:util'
import { straysOn } from '../apps/http/src/testing/refund-kills/books.ts'
import { killWhileRefunding } from '../apps/http/src/testing/refund-kills/kill-run.ts'
import { openStage } from '../apps/http/src/testing/refund-kills/stage.ts'
import { judge } from '../apps/http/src/testing/refund-kills/verdict.ts'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const shownWrong = 10

/** `--kills` deaths (200: some ten minutes) of the seed `--seed`, or of a new one. */
const wantedIn = (flags: ReadonlyArray<string>) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...flags], options: { kills: text, seed: text, json: { type: 'boolean' } } })
  return { kills: Number(values.kills ?? 200), seed: Number(values.seed ?? Date.now() % 1_000_000) }
}

/** Kills services by SIGKILL while they give money back, and fails where money went out twice, or did not. */
export const killRefunds: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const { kills, seed } = wantedIn(flags)
    process.stdout.write(`seed ${seed}\n`)
    const stage = await openStage(folder)
    const startedAt = performance.now()
    try {
      const run = await killWhileRefunding(stage, kills, seed)
      const seconds = (performance.now() - startedAt) / 1_000
      const wrong = Object.entries(await judge(stage, run))
      for (const [what, each] of wrong)
        for (const words of each.slice(0, shownWrong)) process.stdout.write(`${what}: ${words}\n`)
      if (wrong.some(([, each]) => each.length > 0)) process.exitCode = 1
      return {
        seed: String(seed),
        kills,
        seconds,
        refunds: run.wanted.length,
        returns: straysOn(stage.network.sandbox, run.account).length,
        ...Object.fromEntries(Object.entries(run.kills).map(([name, count]) => [`killed ${name}`, count])),
        ...Object.fromEntries(wrong.map(([what, each]) => [`wrong: ${what}`, each.length])),
      }
    } finally {
      await stage.close()
    }
  })
