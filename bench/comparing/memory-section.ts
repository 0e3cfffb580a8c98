import { memoryResult, type Started } from '../growth/results.ts'
import { linesSvgOf } from './plot-lines.ts'
import { figure, megabytes, table, whole } from './texts.ts'

/** What each further 100,000 subscriptions add, in bytes: the slope of the line that fits best. */
const per100000 = (services: ReadonlyArray<Started>, of: (service: Started) => number): number => {
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(services.map(({ subscriptions }) => subscriptions)), mean(services.map(of))]
  const times = (by: (service: Started) => number) =>
    mean(services.map((service) => (service.subscriptions - x) * by(service)))
  return (100_000 * times((service) => of(service) - y)) / times(({ subscriptions }) => subscriptions - x)
}

const memoryPlot = (services: ReadonlyArray<Started>): string => {
  const points = (of: (service: Started) => number) =>
    services.map((service) => ({ x: service.subscriptions, y: of(service) / 1e6 }))
  return linesSvgOf({
    title: 'Memory of a service by its subscriptions',
    description: services
      .map(({ subscriptions, rssBytes }) => `${whole(subscriptions)}: ${megabytes(rssBytes)} MB`)
      .join('; '),
    x: { title: 'subscriptions', isLogarithmic: false },
    y: { title: 'memory, MB' },
    mark: null,
    series: [
      { name: 'resident', points: points(({ rssBytes }) => rssBytes) },
      { name: 'heap', points: points(({ heapBytes }) => heapBytes) },
    ],
  })
}

/** What subscriptions take of a service's memory: the section of the page of growth, and its plot. */
export const memorySection = (): { readonly text: string; readonly plot: string } => {
  const { services, takenOn } = memoryResult.read()
  const resident = per100000(services, ({ rssBytes }) => rssBytes)
  const heap = per100000(services, ({ heapBytes }) => heapBytes)
  const text = `## Memory per 100,000 subscriptions

A further 100,000 idle subscriptions add **${figure(resident / 1e6)} MB** of resident memory, and ${figure(heap / 1e6)} MB of heap, to a service
of \`npm start\` in the sandbox, three minutes after its start. Resident memory is what it was by then; the heap is what is left after a
collection.

![Memory of a service by its subscriptions](growth/subscriptions.svg)

${table(
  ['subscriptions', ...services.map(({ subscriptions }) => whole(subscriptions))],
  [
    ['resident memory, MB', ...services.map(({ rssBytes }) => megabytes(rssBytes))],
    ['heap, MB', ...services.map(({ heapBytes }) => megabytes(heapBytes))],
  ],
)}

\`npm run bench -- growth-subscriptions\`, on the same machine; ${takenOn}.
`
  return { text, plot: memoryPlot(services) }
}
