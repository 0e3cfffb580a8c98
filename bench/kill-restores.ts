import { parseArgs } from 'node:util'
import { killWhileRestoring } from '@quittance/http/testing/restore-kills/kill-run'
import { judge } from '@quittance/http/testing/restore-kills/verdict'
import type { Benchmark } from './report.ts'
import { inTemporaryFolder } from './temporary-folder.ts'

const shownWrong = 10

/** `--rounds` (90: some eight minutes) of kills and restores, randomized by `--seed`, new by default. */
export const killRestores: Benchmark = (flags) =>
  inTemporaryFolder(async (folder) => {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ args: [...flags], options: { rounds: text, seed: text, json: { type: 'boolean' } } })
    const [rounds, seed] = [Number(values.rounds ?? 90), Number(values.seed ?? Date.now() % 1_000_000)]
    process.stdout.write(`seed ${seed}\n`)
    const startedAt = performance.now()
    const run = await killWhileRestoring(folder, rounds, seed)
    try {
      const { wrong, figures } = await judge(run)
      const found = Object.entries(wrong)
      for (const [rule, each] of found)
        for (const words of each.slice(0, shownWrong)) process.stdout.write(`${rule}: ${words}\n`)
      if (found.some(([, each]) => each.length > 0)) process.exitCode = 1
      return {
        seed: String(seed),
        rounds,
        seconds: (performance.now() - startedAt) / 1_000,
        ...figures,
        ...run.counts,
        ...Object.fromEntries(found.map(([rule, each]) => [`wrong: ${rule}`, each.length])),
      }
    } finally {
      await run.service.kill()
    }
  })
