import type { Day, Hour } from './results.ts'
import { figure, notCompared, plotOf, type Section, softwareOf } from './section.ts'

const byHour = { title: 'hour of the day', of: ({ hour }: Hour) => hour }

const rowOf = (hour: Hour): string =>
  `| ${[
    hour.hour,
    figure(hour.paid),
    figure(hour.failed),
    figure(hour.failures),
    hour.ledgers,
    `${figure(hour.processorMsEach)} ms`,
    `${figure(hour.networkMsEach)} ms`,
    `${figure(hour.residentMb)} MB`,
    `${figure(hour.logMb)} MB`,
  ].join(' | ')} |`

const lengthOf = ({ plan, hours }: Day): string =>
  hours.length === 24
    ? 'All 24 hours passed.'
    : `${hours.length} of 24 hours passed in the time that there was; ${figure(plan.subscriptions)} subscriptions were there all the time.`

const outcomeOf = ({ report }: Day): string => {
  if (report === null) return notCompared
  if (report.wrong !== 0) return `**${report.wrong}** subscriptions or balances were wrong.`
  return `${figure(report['charged once'] ?? 0)} subscriptions had been charged exactly once, by the log and by the balances of their wallets; ${figure(report['in dunning'] ?? 0)} without money
were in dunning, with as many attempts as the merchant's schedule demands; no other subscription had a new event, and the shop held what these
had paid.`
}

/** What holds for each day. */
export const aboutDays = `## A day of a large merchant

Each subscription that is due has a customer and a wallet of its own; some wallets have no money. All others are on trial. The service and the
sandbox's network are in one process, and the clock moves: a ledger closes each five seconds until all that is due has been decided, and
then the next hour begins, so an hour has fewer ledgers than on a real network. The log was written without read models, which were
built from it afterwards. One wallet with money and one without sign for each hour, and the others are copies of their entries on the ledger.
Memory is that of both sides, the ledger of the network included. The file holds log and read models. Commits were not
synced to the disk. The machine did other work meanwhile, which makes processor times longer.`

export const daySection = (day: Day): Section => {
  const { plan, hours, enrolledEvents, enrolSeconds, machine, takenOn } = day
  const inAnHour = (plan.subscriptions * plan.due) / 100
  return {
    plots: {
      [`day-${plan.subscriptions}-processor`]: plotOf('processor time for each due subscription, ms', byHour, hours, {
        ours: ({ processorMsEach }) => processorMsEach,
        "the network's": ({ networkMsEach }) => networkMsEach,
      }),
      [`day-${plan.subscriptions}-memory`]: plotOf('memory of service and network, MB', byHour, hours, {
        resident: ({ residentMb }) => residentMb,
        'heap in use': ({ heapMb }) => heapMb,
      }),
      [`day-${plan.subscriptions}-file`]: plotOf('size of the file of the log, MB', byHour, hours, {
        file: ({ logMb }) => logMb,
        'write-ahead log': ({ walMb }) => walMb,
      }),
    },
    text: `### ${figure(plan.subscriptions)} subscriptions

In each hour ${figure(inAnHour)} subscriptions (${plan.due} %) were due; ${plan.failing} % of their wallets had no money. ${figure(plan.subscriptions - plan.hours * inAnHour)} of all were
events alone, without a customer or a wallet. To write the log (${figure(enrolledEvents)} events) and to build its read models took ${figure(enrolSeconds / 60)} minutes.
${plan.channels} channels charged. ${lengthOf(day)}

**In the end** ${outcomeOf(day)}

| hour | paid | failed for the first time | failed attempts | ledgers with charges | processor time of ours, each | the network's | resident memory | file |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
${hours.map(rowOf).join('\n')}

![Processor time for each due subscription](long-runs/day-${plan.subscriptions}-processor.svg)

![Memory of service and network](long-runs/day-${plan.subscriptions}-memory.svg)

![Size of the file of the log](long-runs/day-${plan.subscriptions}-file.svg)

[\`bench/large-day.ts\`](../bench/large-day.ts), \`npm run bench -- large-day\`. ${softwareOf(machine)} on ${takenOn}.`,
  }
}
