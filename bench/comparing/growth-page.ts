import { type Kind, kinds, reads, writes } from '../growth/rates.ts'
import { growthResult, memoryResult, ratiosOf, type Size, type Started } from '../growth/results.ts'
import { linesSvgOf, type Series } from './plot-lines.ts'
import { type Spread, spreadOf } from './statistics.ts'

const aim = 0.8

/** Of rates that miss the aim: why, and what would close the gap. */
const missedBecause: Partial<Record<Kind, string>> = {}

/** What one of each kind is. */
const meanings: Readonly<Record<Kind, string>> = {
  'sales by one caller':
    'a new customer, a checkout and its payment: eleven events in three appends, durable before the next sale begins',
  'sales by 64 callers': '64 sales at once, whose appends share commits',
  renewals:
    '16 subscriptions from all over the log at once: each is read and decides, and its charge, payment and intent are appended; a call on the ledger takes all 16',
  'webhook deliveries': 'eight payments for one endpoint listed, claimed and ended, in three transactions',
  'loads of any stream': 'a checkout, payment or subscription, from its first event to its last, hashes verified',
  'payments by id': 'a row of the read model',
  'pages of payments': '20 rows behind any payment',
  'access checks': 'the rows of payments that give a customer access to a product',
  'lists of checkouts': '20 completed checkouts behind any other',
  'looks for due subscriptions': 'the 100 longest overdue at a moment, and when the next falls due',
}

const figure = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 })
const whole = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 })
const megabytes = (bytes: number): string => whole(bytes / 1e6)

const roundsOf = ({ events, rates }: Size, kind: Kind) => {
  const rounds = rates[kind]
  if (rounds === undefined) throw new Error(`${kind} was not measured at ${events} events`)
  return rounds
}
const spreadAt = (size: Size, kind: Kind): Spread => spreadOf(ratiosOf(roundsOf(size, kind)))
const spreadText = ({ median, low, high }: Spread): string => `${figure(median)} (${figure(low)} to ${figure(high)})`

const isMissed = (largest: Size, kind: Kind): boolean => spreadAt(largest, kind).median < aim

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(' | ')} |`
const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n')

const ratesTable = (sizes: ReadonlyArray<Size>, largest: Size): string =>
  table(
    ['a second', 'at 10,000', ...sizes.map(({ events }) => `× at ${whole(events)}`), 'result'],
    kinds.map((kind) => [
      kind,
      figure(spreadOf(roundsOf(largest, kind).small.map(({ perSecond }) => perSecond)).median),
      ...sizes.map((size) => spreadText(spreadAt(size, kind))),
      isMissed(largest, kind) ? '**missed**' : 'met',
    ]),
  )

const processorTable = (sizes: ReadonlyArray<Size>): string =>
  table(
    ['of one second of processor time', ...sizes.map(({ events }) => `× at ${whole(events)}`)],
    kinds.map((kind) => [
      kind,
      ...sizes.map((size) => spreadText(spreadOf(ratiosOf(roundsOf(size, kind), 'perProcessorSecond')))),
    ]),
  )

const filesTable = (sizes: ReadonlyArray<Size>): string =>
  table(
    ['', ...sizes.map(({ events }) => whole(events))],
    [
      ['subscriptions', ...sizes.map(({ subscriptions }) => whole(subscriptions))],
      ['payments', ...sizes.map(({ payments }) => whole(payments))],
      ['deliveries', ...sizes.map(({ deliveries }) => whole(deliveries))],
      ['file, MB', ...sizes.map(({ fileBytes }) => megabytes(fileBytes))],
      ['opened in, ms', ...sizes.map(({ held }) => whole(held.openMs))],
      ['resident memory, MB', ...sizes.map(({ held }) => megabytes(held.rssBytes))],
      ['heap, MB', ...sizes.map(({ held }) => megabytes(held.heapBytes))],
    ],
  )

const servicesTable = (services: ReadonlyArray<Started>): string =>
  table(
    ['subscriptions', ...services.map(({ subscriptions }) => whole(subscriptions))],
    [
      ['started in, ms', ...services.map(({ startMs }) => whole(startMs))],
      ['resident memory, MB', ...services.map(({ rssBytes }) => megabytes(rssBytes))],
      ['heap, MB', ...services.map(({ heapBytes }) => megabytes(heapBytes))],
    ],
  )

/** What each further 100,000 subscriptions add, in bytes: the slope of the line that fits best. */
const per100000 = (services: ReadonlyArray<Started>, of: (service: Started) => number): number => {
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(services.map(({ subscriptions }) => subscriptions)), mean(services.map(of))]
  const spread = (by: (service: Started) => number) =>
    services.reduce((sum, service) => sum + (service.subscriptions - x) * by(service), 0)
  return (100_000 * spread((service) => of(service) - y)) / spread(({ subscriptions }) => subscriptions - x)
}

const ratioPlot = (name: string, sizes: ReadonlyArray<Size>, chosen: ReadonlyArray<Kind>): string =>
  linesSvgOf({
    title: `${name} a second, beside those of a log of 10,000 events`,
    description: chosen
      .map((kind) => `${kind}: ${sizes.map((size) => figure(spreadAt(size, kind).median)).join(', ')}`)
      .join('; '),
    x: { title: 'events in the log', isLogarithmic: true },
    y: { title: 'in relation to 10,000 events' },
    mark: { value: aim, text: `aim ${aim}` },
    series: chosen.map((kind) => ({
      name: kind,
      points: sizes.map((size) => ({ x: size.events, y: spreadAt(size, kind).median })),
    })),
  })

const memorySeries = (services: ReadonlyArray<Started>): ReadonlyArray<Series> => [
  {
    name: 'resident',
    points: services.map(({ subscriptions, rssBytes }) => ({ x: subscriptions, y: rssBytes / 1e6 })),
  },
  { name: 'heap', points: services.map(({ subscriptions, heapBytes }) => ({ x: subscriptions, y: heapBytes / 1e6 })) },
]

const memoryPlot = (services: ReadonlyArray<Started>): string =>
  linesSvgOf({
    title: 'Memory of a service by its subscriptions',
    description: services
      .map(({ subscriptions, rssBytes }) => `${whole(subscriptions)}: ${megabytes(rssBytes)} MB`)
      .join('; '),
    x: { title: 'subscriptions', isLogarithmic: false },
    y: { title: 'memory, MB' },
    mark: null,
    series: memorySeries(services),
  })

const reasonsOf = (largest: Size): ReadonlyArray<string> =>
  kinds
    .filter((kind) => isMissed(largest, kind))
    .map((kind) => {
      const reason = missedBecause[kind]
      if (reason === undefined) throw new Error(`${kind} misses its aim, and does not say why`)
      return `- **${kind}**: ${reason}`
    })

/** The page of growth and its plots, by their paths in `docs`, made of the committed results. */
export const growthFiles = (): ReadonlyMap<string, string> => {
  const { sizes, machine, takenOn } = growthResult.read()
  const { services, takenOn: servicesTakenOn } = memoryResult.read()
  const largest = sizes.at(-1)
  if (largest === undefined) throw new Error('no size was measured')
  const reasons = reasonsOf(largest)
  const place = `Node ${machine.node.slice(1)}, SQLite ${machine.sqlite}; ${machine.cores} cores (${machine.processor})`
  const rounds = roundsOf(largest, 'renewals').large.length
  const [resident, heap] = [
    per100000(services, ({ rssBytes }) => rssBytes),
    per100000(services, ({ heapBytes }) => heapBytes),
  ]
  const page = `# Growth: what a log does as it grows

This page shows what one log with all its read models does a second as it grows from 10,000 to ${whole(largest.events)} events, and what memory it
takes. \`npm run bench -- report\` writes it from \`bench/results/growth\`; nobody edits it by hand. [Performance](performance.md) has
the rates beside peers.

**The aim:** any rate at 5,000,000 events is at least ${aim} of the one at 10,000.

${ratesTable(sizes, largest)}

A figure is the median of the ratios of ${rounds} pairs of rounds, with the quartiles: half of the pairs lie between them. In each pair, the
large log and a new copy of a log of 10,000 events do the same in turn, each first every other time. At 10,000 events both are
copies of one size: how far that column is from 1 is what the measurement itself varies.
${reasons.length === 0 ? '' : `\nWhy rates miss the aim:\n\n${reasons.join('\n')}\n`}
![Writes a second, beside those of a log of 10,000 events](growth/writes.svg)

![Reads a second, beside those of a log of 10,000 events](growth/reads.svg)

The machine did other work meanwhile, and commits wait for its disk. The processor's time, which leaves such waits out, tells the work
itself:

${processorTable(sizes)}

What they are:

${kinds.map((kind) => `- **${kind}**: ${meanings[kind]}`).join('\n')}

## The log

A history of sales, each to a new customer; each fourth buyer subscribes and renews four times; one payment is one delivery to one of
16 endpoints. Ids are ordered by time with a random end, as a service makes them. The file fits into the memory of the machine.

${filesTable(sizes)}

Memory is that of a process that opens the file and answers a round of each read; the heap is what is left after a collection.

The log is written without read models, which are then built at once; at 10,000 events the benchmark makes sure that this leaves the same rows as
writing them with each append. While it is measured, the large log goes on growing, and the small one to at most 30,000 events.

${place}; ${takenOn}. \`npm run bench -- growth --events=10000,100000,1000000,5000000\` needs an hour and 15 GB.

## Memory per 100,000 subscriptions

A further 100,000 idle subscriptions add **${figure(resident / 1e6)} MB** of resident memory, and ${figure(heap / 1e6)} MB of heap, to a service of \`npm start\`
that has started, looked for all that is due, and come to rest.

![Memory of a service by its subscriptions](growth/subscriptions.svg)

${servicesTable(services)}

\`npm run bench -- growth-subscriptions\`, on the same machine; ${servicesTakenOn}.
`
  return new Map([
    ['growth.md', page],
    ['growth/writes.svg', ratioPlot('Writes', sizes, writes)],
    ['growth/reads.svg', ratioPlot('Reads', sizes, reads)],
    ['growth/subscriptions.svg', memoryPlot(services)],
  ])
}
