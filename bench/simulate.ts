import { parseArgs } from 'node:util'
import { buildFixture, simulate as play, type Run } from '@quittance/simulation'
import type { Benchmark } from './report.ts'

const shownBroken = 20

/** `--runs` runs from `--from` on, or the one of `--seed`, with its trace. */
const seedsOf = (flags: ReadonlyArray<string>) => {
  const number = { type: 'string' } as const
  const options = { runs: number, from: number, seed: number, json: { type: 'boolean' } } as const
  const { runs = '1000', from = '0', seed } = parseArgs({ args: [...flags], options }).values
  const [first, count] = seed === undefined ? [from, runs] : [seed, '1']
  return { seeds: Array.from({ length: Number(count) }, (_, n) => Number(first) + n), isTraced: seed !== undefined }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** What was met in all runs together. */
const metIn = (runs: ReadonlyArray<Pick<Run, 'met'>>): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {}
  for (const { met } of runs)
    for (const [fate, times] of Object.entries(met)) sums[`effects: ${fate}`] = (sums[`effects: ${fate}`] ?? 0) + times
  return sums
}

/** Runs a second of the simulation (docs/simulation.md), and the seeds of those that broke a rule. */
export const simulate: Benchmark = async (flags) => {
  const { seeds, isTraced } = seedsOf(flags)
  const fixture = await buildFixture()
  const runs: Array<Omit<Run, 'trace'>> = []
  const began = performance.now()
  for (const seed of seeds) {
    const { trace, ...run } = await play(fixture, seed)
    runs.push(run)
    if (isTraced) trace.forEach(print)
  }
  const seconds = (performance.now() - began) / 1_000
  const broken = runs.filter((run) => run.broken.length > 0)
  for (const { seed, broken: what } of broken.slice(0, shownBroken)) print(`seed ${seed}: ${what.join('\n  ')}`)
  if (broken.length > 0) process.exitCode = 1
  return { runs: runs.length, 'runs per second': runs.length / seconds, ...metIn(runs), broken: broken.length }
}
