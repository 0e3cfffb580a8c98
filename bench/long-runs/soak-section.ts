import type { Minute, Soak } from './results.ts'
import { figure, notCompared, plotOf, type Section, softwareOf } from './section.ts'
import { slopeOf } from './slope.ts'

const processorMsInAMinute = 60_000
const mega = 1_000_000
/** The answers that the plot of times shows. */
const shown: Readonly<Record<string, string>> = {
  'new checkout': 'POST /checkout',
  quote: 'GET /pay/:id/quote',
  'access check': 'GET /customers/:id/access/:id',
  'list of payments': 'GET /payment',
}

const byMinute = { title: 'minutes', of: ({ minute }: Minute) => minute }

const plotsOf = ({ minutes }: Soak): Section['plots'] => {
  const names = [...new Set(minutes.flatMap(({ files }) => Object.keys(files)))]
  return {
    'soak-memory': plotOf('memory of the service, MB', byMinute, minutes, {
      resident: ({ residentMb }) => residentMb,
      'of it, no file': ({ anonymousMb }) => anonymousMb,
      'heap in use': ({ heapMb }) => heapMb,
    }),
    'soak-files': plotOf(
      'size of files, MB',
      byMinute,
      minutes,
      Object.fromEntries(names.map((name) => [name, ({ files }: Minute) => files[name]])),
    ),
    'soak-answers': plotOf(
      'slowest of a hundred answers, ms',
      byMinute,
      minutes,
      Object.fromEntries(
        Object.entries(shown).map(([name, kind]) => [name, ({ answers }: Minute) => answers[kind]?.p99]),
      ),
    ),
    'soak-processor': plotOf('processor time of the service, % of a core', byMinute, minutes, {
      'all threads': ({ processorMs }, index) => {
        const before = minutes[index - 1]
        return before === undefined ? undefined : (100 * (processorMs - before.processorMs)) / processorMsInAMinute
      },
    }),
  }
}

const most = (values: ReadonlyArray<number>): number => Math.max(...values)

const countsOf = (report: NonNullable<Soak['report']>): ReadonlyArray<readonly [string, string]> => [
  ['renewals paid', figure(Number(report['subscriptions: charged']))],
  ['refunds paid', figure(Number(report['outgoing payments on the ledger']))],
  [
    'webhooks that arrived, attempts',
    `${figure(Number(report['webhooks received']))}, ${figure(Number(report['webhook attempts']))}`,
  ],
]

/** Lines of a table: what, and its figure. */
const figuresOf = ({ minutes, report }: Soak): ReadonlyArray<readonly [string, string]> => {
  const [first, last] = [minutes[0], minutes.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a soak has minutes')
  const [early, late] = [minutes.slice(1, minutes.length / 2), minutes.slice(minutes.length / 2)]
  const resident = (x: (minute: Minute) => number) => slopeOf(late.map((each) => [x(each), each.residentMb]))
  const wals = (each: Minute): number =>
    most(Object.entries(each.files).flatMap(([name, mb]) => (name.endsWith('-wal') ? [mb] : [])))
  const grown = (last.files['quittance.db'] ?? 0) - (first.files['quittance.db'] ?? 0)
  return [
    ['sales completed', `${figure(last.sales)}, ${figure(last.sales / (60 * last.minute))} a second`],
    ...(report === null ? [] : countsOf(report)),
    ['events written', figure(last.events - first.events)],
    [
      'resident memory at the beginning, in the middle, at the end',
      [first, late[0], last].map((each) => `${figure(each?.residentMb ?? Number.NaN)} MB`).join(', '),
    ],
    [
      'its slope in the second half',
      `${figure(resident(({ minute }) => minute / 60))} MB an hour, ${figure(resident(({ events }) => events / 100_000))} MB per 100,000 events`,
    ],
    [
      '`quittance.db` for each event, read models included',
      `${figure((grown * mega) / (last.events - first.events))} bytes`,
    ],
    [
      'largest write-ahead log in the first half, in the second',
      [early, late].map((each) => `${figure(most(each.map(wals)))} MB`).join(', '),
    ],
    [
      'most open descriptors in the first half, in the second',
      [early, late].map((each) => figure(most(each.map(({ descriptors }) => descriptors)))).join(', '),
    ],
  ]
}

const outcomeOf = ({ report }: Soak): string => {
  if (report === null) return notCompared
  const found = Object.entries(report).filter(([name, count]) => name.startsWith('wrong: ') && count !== 0)
  if (found.length > 0)
    return `something was **wrong**: ${found.map(([name, count]) => `${name.replace('wrong: ', '')} ${count}`).join(', ')}.`
  return `every request that should succeed had succeeded, and every other had been refused; each sale was confirmed once, and told once to
each receiver that accepts; every due member had been charged once a period; ledger, log, answers and webhooks agreed; and \`quittance verify\`
and \`quittance reconcile\` found no problem.`
}

export const soakSection = (soak: Soak): Section => {
  const { wanted, takenOn, machine } = soak
  const { minutes, salesPerSecond, readsPerSecond, joinSeconds, skipMinutes } = wanted
  return {
    plots: plotsOf(soak),
    text: `## ${minutes} minutes of steady work

A service of \`npm start\`, with a fresh data directory, is asked for ${salesPerSecond} sales a second, each from \`POST /checkout\` to the confirmed payment, and
${readsPerSecond} reads a second of access, payments, lists and balances. One sale in twenty is refunded. Every ${joinSeconds} seconds somebody subscribes to
something that renews daily, and every ${skipMinutes} minutes the clock of all moves on by half a day. Every webhook goes to a receiver that fails one attempt
in ten, those of payments also to one that accepts all, and those of refunds to one that accepts none. Once a second a stranger sends what no
service should take: half a document, a body of a thousand nested lists, a guessed key. The network closes a ledger each second.

**In the end** ${outcomeOf(soak)}

| | |
| --- | --- |
${figuresOf(soak)
  .map(([name, text]) => `| ${name} | ${text} |`)
  .join('\n')}

![Memory of the service over the run](long-runs/soak-memory.svg)

V8 lets the heap grow until it collects all of it, so the line of the heap is jagged; what it keeps is at the low points.

![Sizes of files over the run](long-runs/soak-files.svg)

![Processor time over the run](long-runs/soak-processor.svg)

![Slowest of a hundred answers over the run](long-runs/soak-answers.svg)

Those who ask, the network and the receivers shared ${machine.cores} cores with the service, and with other work of the machine, so answers on a quiet machine
come sooner.${minutes < 60 ? ' A run of less than an hour says little of slopes: the heap has not been collected often.' : ''}

[\`bench/soak.ts\`](../bench/soak.ts), \`npm run bench -- soak\`. ${softwareOf(machine)} on ${takenOn}, seed ${wanted.seed}.`,
  }
}
