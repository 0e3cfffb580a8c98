import { type Kind, kinds, reads, writes } from '../growth/rates.ts'
import { growthResult, ratiosOf, type Size } from '../growth/results.ts'
import { memorySection } from './memory-section.ts'
import { linesSvgOf } from './plot-lines.ts'
import { type Spread, spreadOf } from './statistics.ts'
import { figure, megabytes, ratioText, table, whole } from './texts.ts'

const aim = 0.8
const aimedAt = 5_000_000

/** Of rates below the aim: why, and what would close the gap. */
const missedBecause: Partial<Record<Kind, string>> = {
  'sales by one caller':
    'one caller waits for three syncs of the disk a sale, which other processes used meanwhile; by processor time the ratio is above the aim.',
  renewals:
    'each reads 16 streams and the rows of their read models from all over the file, as the reads below do, before it appends.',
  'loads of any stream':
    'any of all streams is asked for, which is harder than what callers do, who mostly ask for what is new. The small log lies whole in the 16 MB that a connection caches; of a file of 10 GB nearly everything is read anew. In one of 1,900,000 events, 200 streams took 3.8 reads of the file each, since the events of a stream lie apart. A cache in relation to the memory of the machine would close part of it.',
  'payments by id':
    'as for streams: any of all rows. In a file of 1,900,000 events, 300 payments took 1.4 reads of the file each.',
  'pages of payments':
    'as for streams. The 20 rows of a page lie together, so a page loses less than a single row does.',
  'access checks':
    'as for streams. In a file of 1,900,000 events, 300 checks took 5.7 reads of the file each, for three or four rows that an index of customers leads to.',
  'lists of checkouts': 'as for streams. The 20 rows of a list lie near one another.',
}

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
  'due subscriptions': 'those of the up to 100 longest overdue at a moment, and when the next falls due',
}

const roundsOf = ({ events, rates }: Size, kind: Kind) => {
  const rounds = rates[kind]
  if (rounds === undefined) throw new Error(`${kind} was not measured at ${events} events`)
  return rounds
}
const spreadAt = (size: Size, kind: Kind): Spread => spreadOf(ratiosOf(roundsOf(size, kind)))

const isShort = (largest: Size, kind: Kind): boolean => spreadAt(largest, kind).median < aim

/** What comes of a smaller log than the aim is for decides nothing. */
const verdictText = (largest: Size, kind: Kind): string => {
  const isDecided = largest.events >= aimedAt
  if (isShort(largest, kind)) return isDecided ? '**missed**' : `below ${aim} already`
  return isDecided ? 'met' : 'open'
}

const ratesTable = (sizes: ReadonlyArray<Size>, largest: Size): string =>
  table(
    ['a second', 'at 10,000', ...sizes.map(({ events }) => `× at ${whole(events)}`), 'result'],
    kinds.map((kind) => [
      kind,
      figure(spreadOf(roundsOf(largest, kind).small.map(({ perSecond }) => perSecond)).median),
      ...sizes.map((size) => ratioText(spreadAt(size, kind))),
      verdictText(largest, kind),
    ]),
  )

const processorTable = (sizes: ReadonlyArray<Size>): string =>
  table(
    ['of one second of processor time', ...sizes.map(({ events }) => `× at ${whole(events)}`)],
    kinds.map((kind) => [
      kind,
      ...sizes.map((size) => ratioText(spreadOf(ratiosOf(roundsOf(size, kind), 'perProcessorSecond')))),
    ]),
  )

const filesTable = (sizes: ReadonlyArray<Size>): string =>
  table(
    ['', ...sizes.map(({ events }) => whole(events))],
    [
      ['subscriptions', ...sizes.map(({ subscriptions }) => whole(subscriptions))],
      ['payments', ...sizes.map(({ payments }) => whole(payments))],
      ['file, MB', ...sizes.map(({ fileBytes }) => megabytes(fileBytes))],
      ['opened in, ms', ...sizes.map(({ held }) => whole(held.openMs))],
      ['resident memory, MB', ...sizes.map(({ held }) => megabytes(held.rssBytes))],
      ['heap, MB', ...sizes.map(({ held }) => megabytes(held.heapBytes))],
    ],
  )

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

const reasonsOf = (largest: Size): ReadonlyArray<string> =>
  kinds
    .filter((kind) => isShort(largest, kind))
    .map((kind) => {
      const reason = missedBecause[kind]
      if (reason === undefined) throw new Error(`${kind} is below its aim, and does not say why`)
      return `- **${kind}**: ${reason}`
    })

/** The page of growth and its plots, by their paths in `docs`, made of the committed results. */
export const growthFiles = (): ReadonlyMap<string, string> => {
  const { sizes, machine, takenOn } = growthResult.read()
  const memory = memorySection()
  const largest = sizes.at(-1)
  if (largest === undefined) throw new Error('no size was measured')
  const reasons = reasonsOf(largest)
  const place = `Node ${machine.node.slice(1)}, SQLite ${machine.sqlite}; ${machine.cores} cores (${machine.processor})`
  const rounds = roundsOf(largest, 'renewals').large.length
  const [smallest = largest] = sizes
  const control = kinds.map((kind) => spreadAt(smallest, kind).median)
  const page = `# Growth: what a log does as it grows

This page shows what one log with all its read models does a second as it grows from 10,000 to ${whole(largest.events)} events, and what memory it
takes. \`npm run bench -- report\` writes it from \`bench/results/growth\`; nobody edits it by hand. [Performance](performance.md) has
the rates beside peers.

**The aim:** any rate at ${whole(aimedAt)} events is at least ${aim} of the one at 10,000.${largest.events < aimedAt ? ` These figures end at ${whole(largest.events)}, so whether it is met is open.` : ''}

${ratesTable(sizes, largest)}

A ratio is the median of those of ${rounds} pairs of rounds, with the quartiles: half of the pairs lie between them. In each pair, the large log
and a new copy of a log of 10,000 events do the same for a fifth of a second in turn, each first every other time.

**These runs shared two cores with four to nine other busy processes.** What was done a second says little of what a service does on a free
machine. At 10,000 events both logs are copies of one size, so the ratio ought to be 1: it was between ${figure(Math.min(...control))} and ${figure(Math.max(...control))}, and
differences of that size mean nothing. All sizes were measured in one run.
${reasons.length === 0 ? '' : `\nWhy rates are below it:\n\n${reasons.join('\n')}\n`}
![Writes a second, beside those of a log of 10,000 events](growth/writes.svg)

![Reads a second, beside those of a log of 10,000 events](growth/reads.svg)

The processor's time leaves out waits for other processes and for the disk:

${processorTable(sizes)}

What they are:

${kinds.map((kind) => `- **${kind}**: ${meanings[kind]}`).join('\n')}

## The log

A history of sales, each to a new customer; each fourth buyer subscribes and renews four times; one payment is one delivery to one of
16 endpoints. Ids are ordered by time with a random end, as a service makes them. The file fits into the memory of the machine.

${filesTable(sizes)}

Memory is that of a process that opens the file and answers a round of each read; the heap is what is left after a collection.

The history has stretches of 100,000 events. The first is written and its read models are built from it; the store seals each further one,
the same by other names, and its rows are copied by those names. The benchmark makes sure, with stretches of 10,000 events,
that building leaves the rows that appends with read models leave, and that a rebuild of two stretches leaves the copied rows. While it is
measured, the large log goes on growing, and so does each copy of the small one.

${place}; ${takenOn}. \`npm run bench -- growth\` measures these sizes again; with
\`--events=10000,100000,1000000,5000000\` it needs some 13 GB of disk, by the size of this file.

${memory.text}`
  return new Map([
    ['growth.md', page],
    ['growth/writes.svg', ratioPlot('Writes', sizes, writes)],
    ['growth/reads.svg', ratioPlot('Reads', sizes, reads)],
    ['growth/subscriptions.svg', memory.plot],
  ])
}
