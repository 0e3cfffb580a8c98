import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fixtures, plantedBugs, simulate as play, type Run, seedThatFinds, type World } from '@quittance/simulation'
import type { Benchmark, Report } from './report.ts'

const program = fileURLToPath(new URL('./simulated-seeds.ts', import.meta.url))
const shownBroken = 20

type Played = Pick<Run, 'seed' | 'broken' | 'outcomes'>

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs seeds in another process. */
const inProcess = async (world: World, first: number, count: number): Promise<ReadonlyArray<Played>> => {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [program, world, String(first), String(count)], { stdio: [...stdio] })
  const runs: Array<Played> = []
  for await (const line of createInterface(child.stdout)) runs.push(JSON.parse(line))
  if (runs.length !== count) throw new Error(`seed ${first + runs.length} ended its process`)
  return runs
}

/** Runs one seed and prints its trace. */
const traced = async (world: World, seed: number): Promise<ReadonlyArray<Played>> => {
  const fixture = await fixtures[world]()
  const run = await play(fixture, seed)
  run.trace.forEach(print)
  fixture.close()
  return [run]
}

/** The first seed that finds each planted bug. */
const planted = async (world: World, maxSeeds: number): Promise<Report> => {
  const fixture = await fixtures[world]()
  const found: Record<string, number | string> = {}
  for (const [name, plant] of Object.entries(plantedBugs[world]))
    found[name] = (await seedThatFinds(fixture, plant, maxSeeds)) ?? 'not found'
  fixture.close()
  return found
}

const reportOf = (runs: ReadonlyArray<Played>, seconds: number): Report => {
  const outcomes: Record<string, number> = {}
  for (const run of runs)
    for (const [outcome, times] of Object.entries(run.outcomes))
      outcomes[`effects: ${outcome}`] = (outcomes[`effects: ${outcome}`] ?? 0) + times
  const broken = runs.filter((run) => run.broken.length > 0).length
  return { runs: runs.length, 'runs per second': runs.length / seconds, ...outcomes, 'runs that broke a rule': broken }
}

/**
 * The simulation (docs/simulation.md): `--runs` runs from the seed `--from` on, on every processor; or `--seed` alone
 * with its trace; or, with `--planted`, the seeds that find the planted bugs. The world is a shop, with `--till` one
 * with payouts, with `--club` one with subscriptions, with `--market` one with another merchant. Prints violations with the seed that reproduces them; the exit
 * code is then not 0.
 */
export const simulate: Benchmark = async (flags) => {
  const text = { type: 'string' } as const
  const options = {
    runs: text,
    from: text,
    seed: text,
    club: { type: 'boolean' },
    till: { type: 'boolean' },
    market: { type: 'boolean' },
    planted: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...flags], options })
  const { runs: wanted = '1000', from = '0', seed } = values
  const world = (['club', 'till', 'market'] as const).find((each) => values[each] === true) ?? 'shop'
  if (values.planted === true) return planted(world, Number(wanted))
  const began = performance.now()
  const share = Math.ceil(Number(wanted) / availableParallelism())
  const shares = Array.from({ length: Math.ceil(Number(wanted) / share) }, (_, n) => n * share)
  const runs =
    seed === undefined
      ? await Promise.all(
          shares.map((first) => inProcess(world, Number(from) + first, Math.min(share, Number(wanted) - first))),
        )
      : [await traced(world, Number(seed))]
  const played = runs.flat()
  const broken = played.filter((run) => run.broken.length > 0)
  for (const run of broken.slice(0, shownBroken)) print(`seed ${run.seed}:\n  ${run.broken.join('\n  ')}`)
  if (broken.length > 0) process.exitCode = 1
  return reportOf(played, (performance.now() - began) / 1_000)
}
