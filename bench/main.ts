import { appendPeer } from './append-peer.ts'
import { appendPostgres } from './append-postgres.ts'
import { archive } from './archive.ts'
import { audit } from './audit.ts'
import { auditYear } from './audit-year.ts'
import { commands } from './commands.ts'
import { compare, compareEach } from './comparing/compare.ts'
import { machine } from './comparing/machine.ts'
import { writePages } from './comparing/page.ts'
import { comparisons } from './comparisons/index.ts'
import { copy, copyPostgres } from './copy.ts'
import { extract } from './extract.ts'
import { firstPaint } from './first-paint.ts'
import { flood } from './flood.ts'
import { follower } from './follower.ts'
import { fullQueue } from './full-queue.ts'
import { growth } from './growth.ts'
import { growthSubscriptions } from './growth-subscriptions.ts'
import { http } from './http.ts'
import { killDeliveries } from './kill-deliveries.ts'
import { killPayouts } from './kill-payouts.ts'
import { killRefunds } from './kill-refunds.ts'
import { killRenewals } from './kill-renewals.ts'
import { killRestores } from './kill-restores.ts'
import { killRotations } from './kill-rotations.ts'
import { largeDay } from './large-day.ts'
import { mandateCosts } from './mandate-costs.ts'
import { manyProcesses } from './many-processes.ts'
import { peerChaos } from './peer-chaos.ts'
import { readModelsOnBoth } from './read-models.ts'
import { readYourWrites } from './read-your-writes.ts'
import { refunds } from './refunds.ts'
import { renewalBytes } from './renewal-bytes.ts'
import { renewals } from './renewals.ts'
import { replay } from './replay.ts'
import type { Benchmark, Report } from './report.ts'
import { rollingUpgrade } from './rolling-upgrade.ts'
import { scale } from './scale.ts'
import { signing } from './signing.ts'
import { simulate } from './simulate.ts'
import { simulateDeliveries } from './simulate-deliveries.ts'
import { soak } from './soak.ts'
import { webhooks } from './webhooks.ts'
import { writerThread } from './writer-thread.ts'

/** All benchmarks by name. */
const benchmarks: Readonly<Record<string, Benchmark>> = {
  'append-peer': appendPeer,
  'append-postgres': appendPostgres,
  archive,
  audit,
  'audit-year': auditYear,
  commands,
  copy,
  'copy-postgres': copyPostgres,
  extract,
  'first-paint': firstPaint,
  flood,
  follower,
  'full-queue': fullQueue,
  growth,
  'growth-subscriptions': growthSubscriptions,
  http,
  'kill-deliveries': killDeliveries,
  'kill-payouts': killPayouts,
  'kill-refunds': killRefunds,
  'kill-renewals': killRenewals,
  'kill-restores': killRestores,
  'kill-rotations': killRotations,
  'large-day': largeDay,
  'many-processes': manyProcesses,
  'mandate-costs': mandateCosts,
  'peer-chaos': peerChaos,
  'read-models': readModelsOnBoth,
  'read-your-writes': readYourWrites,
  'rolling-upgrade': rollingUpgrade,
  scale,
  refunds,
  'renewal-bytes': renewalBytes,
  renewals,
  replay,
  signing,
  simulate,
  'simulate-deliveries': simulateDeliveries,
  soak,
  webhooks,
  'writer-thread': writerThread,
}

const print = (report: Report): void => {
  for (const [name, value] of Object.entries(report)) {
    const text = typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : value
    process.stdout.write(`${name.padEnd(52)} ${text.padStart(14)}\n`)
  }
}

const parameters = process.argv.slice(2)
const name = parameters.find((each) => !each.startsWith('--')) ?? ''
const flags = parameters.filter((each) => each !== name)

/** Measures one thing, and prints it with the machine that it depends on. */
const measure = async (work: Benchmark): Promise<void> => {
  const facts = machine()
  const results = await work(flags)
  if (flags.includes('--json'))
    return void process.stdout.write(`${JSON.stringify({ benchmark: name, machine: facts, results })}\n`)
  print(facts)
  print(results)
}

const comparison = comparisons.find((each) => each.name === name)
const benchmark = Object.hasOwn(benchmarks, name) ? benchmarks[name] : undefined
const begun = comparisons.map((each) => each.name).filter((each) => each.startsWith(name))
if (name === 'report') writePages()
else if (comparison !== undefined) await measure(() => compare(comparison, flags))
else if (benchmark !== undefined) await measure(benchmark)
else if (begun.length > 0) process.exitCode = compareEach(import.meta.filename, begun, flags) ? 0 : 1
else {
  process.stderr.write(`Usage: npm run bench -- [<name>] [--quick] [--json]
Comparisons (all without a name, several by a beginning): ${comparisons.map((each) => each.name).join(', ')}
Their pages: report
Other measurements: ${Object.keys(benchmarks).join(', ')}
`)
  process.exitCode = 1
}
