import { parseArgs } from 'node:util'
import { type Counts, isMissed } from '@quittance/http/testing/kills/kill-all'
import { openStage, type Stage } from '@quittance/http/testing/kills/stage'
import type { Benchmark, Report } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const shownWrong = 10

/** `--kills` deaths (200: some ten minutes), randomized by `--seed`, new by default. */
const wantedIn = (flags: ReadonlyArray<string>) => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...flags], options: { kills: text, seed: text, json: { type: 'boolean' } } })
  return { kills: Number(values.kills ?? 200), seed: Number(values.seed ?? Date.now() % 1_000_000) }
}

/** The result of a run: kills by place, violations by rule, and how much was at stake. */
type Outcome = {
  readonly counts: Counts
  readonly wrong: Readonly<Record<string, ReadonlyArray<string>>>
  readonly figures: Report
}

/**
 * Kills services by SIGKILL during `run`; fails if anything is wrong afterwards, or if a planned death did not happen.
 */
export const killRun =
  (run: (stage: Stage, kills: number, seed: number) => Promise<Outcome>): Benchmark =>
  (flags) =>
    inTemporaryFolder(async (folder) => {
      const { kills, seed } = wantedIn(flags)
      process.stdout.write(`seed ${seed}\n`)
      const stage = await openStage(folder)
      const startedAt = performance.now()
      try {
        const { counts, wrong, figures } = await run(stage, kills, seed)
        const found = Object.entries(wrong)
        for (const [rule, each] of found)
          for (const words of each.slice(0, shownWrong)) process.stdout.write(`${rule}: ${words}\n`)
        const deaths = Object.entries(counts).map(([name, count]) => [isMissed(name) ? name : `killed ${name}`, count])
        if (found.some(([, each]) => each.length > 0) || Object.keys(counts).some(isMissed)) process.exitCode = 1
        return {
          seed: String(seed),
          kills,
          seconds: (performance.now() - startedAt) / 1_000,
          ...figures,
          ...Object.fromEntries(deaths),
          ...Object.fromEntries(found.map(([rule, each]) => [`wrong: ${rule}`, each.length])),
        }
      } finally {
        await stage.close()
      }
    })
