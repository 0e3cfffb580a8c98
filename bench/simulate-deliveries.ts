import { parseArgs } from 'node:util'
import { fixtures, plantedDeliveryBugs, simulateDeliveries as play } from '@quittance/simulation'
import type { Benchmark, Report } from './report.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs consecutive seeds. Prints violations with the seed that reproduces them. */
const played = async (from: number, runs: number, isTraced: boolean): Promise<Report> => {
  const fixture = await fixtures.shop()
  const began = performance.now()
  const sum = { deliveries: 0, attempts: 0, arrivals: 0, deaths: 0, broken: 0 }
  for (let seed = from; seed < from + runs; seed++) {
    const { trace, broken, counts } = await play(fixture, seed)
    if (isTraced) trace.forEach(print)
    sum.deliveries += counts.deliveries
    sum.attempts += counts.attempts
    sum.arrivals += counts.arrivals
    sum.deaths += counts.deaths
    if (broken.length === 0) continue
    sum.broken += 1
    print(`seed ${seed}:\n  ${broken.join('\n  ')}`)
    process.exitCode = 1
  }
  fixture.close()
  return {
    runs,
    'runs per second': runs / ((performance.now() - began) / 1_000),
    'deliveries that arrived': sum.deliveries,
    attempts: sum.attempts,
    'arrived again': sum.arrivals - sum.deliveries,
    'processes that died': sum.deaths,
    'runs that broke a rule': sum.broken,
  }
}

/** How many of these seeds find each planted bug. */
const planted = async (from: number, runs: number): Promise<Report> => {
  const fixture = await fixtures.shop()
  const found: Record<string, number> = {}
  for (const [name, plant] of Object.entries(plantedDeliveryBugs)) {
    found[name] = 0
    for (let seed = from; seed < from + runs; seed++)
      if ((await play(fixture, seed, plant)).broken.length > 0) found[name] += 1
  }
  fixture.close()
  return found
}

/**
 * Deliveries under a seeded scheduler: `--runs` runs from the seed `--from` on; or `--seed` alone with its trace; or,
 * with `--planted`, how many seeds find each planted bug. The exit code is not 0 if a run breaks a rule.
 */
export const simulateDeliveries: Benchmark = async (flags) => {
  const text = { type: 'string' } as const
  const options = {
    runs: text,
    from: text,
    seed: text,
    planted: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const
  const { values } = parseArgs({ args: [...flags], options })
  const { runs = '100', from = '0', seed } = values
  if (values.planted === true) return planted(Number(from), Number(runs))
  return seed === undefined ? played(Number(from), Number(runs), false) : played(Number(seed), 1, true)
}
