import { mkdirSync, writeFileSync } from 'node:fs'
import { comparisons } from '../comparisons/index.ts'
import { longRunFiles } from '../long-runs/page.ts'
import type { Aim, Comparison } from './comparison.ts'
import { growthFiles } from './growth-page.ts'
import { type Plot, svgOf } from './plot.ts'
import { type Result, readResult } from './results.ts'
import { ratiosOf, type Spread, spreadOf } from './statistics.ts'
import { figure, ratioText } from './texts.ts'
import { timesAim } from './times-aim.ts'

/** A comparison with its figures. */
type Row = {
  readonly comparison: Comparison
  readonly result: Result
  readonly ours: Spread
  readonly peer: Spread | null
  readonly ratio: Spread | null
  /** The ratio where there is a peer, else our figure. */
  readonly judged: Spread
  /** How many times its aim that is; null without an aim. */
  readonly times: number | null
}

const rowOf = (comparison: Comparison): Row => {
  const result = readResult(comparison.name)
  const ours = spreadOf(result.ours)
  const peer = result.peer === null ? null : spreadOf(result.peer)
  const ratio = peer === null ? null : spreadOf(ratiosOf(result))
  const judged = ratio ?? ours
  return { comparison, result, ours, peer, ratio, judged, times: timesAim(comparison.aim, judged.median) }
}

const aimText = (aim: Aim): string => {
  switch (aim._tag) {
    case 'none':
      return 'none'
    case 'ratio':
      return `≥ ${aim.atLeast}${aim.later === undefined ? '' : `, later ≥ ${aim.later}`}`
    case 'at least':
      return `≥ ${figure(aim.figure)}`
    case 'at most':
      return `≤ ${figure(aim.figure)}`
  }
}

/** How many times its later aim a figure is that has met the first; null where there is none. */
const timesLater = ({ comparison: { aim }, judged }: Row): number | null =>
  aim._tag === 'ratio' && aim.later !== undefined ? judged.median / aim.later : null

const isShort = (row: Row): boolean => [row.times, timesLater(row)].some((times) => times !== null && times < 1)

const verdictText = (row: Row): string => {
  const [{ times }, later] = [row, timesLater(row)]
  if (times === null) return ''
  if (times < 1) return `**missed**: ${figure(times)} × aim`
  return later === null || later >= 1 ? 'met' : `met; ${figure(later)} × the later aim`
}

const lineOf = (row: Row): string => {
  const { comparison, ours, peer, ratio } = row
  const { name, unit, aim } = comparison
  const figures = [
    figure(ours.median),
    peer === null ? '' : figure(peer.median),
    ratio === null ? '' : ratioText(ratio),
  ]
  return `| ${[`[${name}](#${name})`, unit, ...figures, aimText(aim), verdictText(row)].join(' | ')} |`
}

const machineText = ({ machine, versions, ours, takenOn, hasShortRounds }: Result): string => {
  const packages = Object.entries(versions).map(([name, version]) => `\`${name}\` ${version}`)
  const software = [...packages, `Node ${machine.node.slice(1)}`, `SQLite ${machine.sqlite}`]
  const place = `${machine.cores} cores (${machine.processor})`
  const rounds = `${ours.length} ${hasShortRounds ? 'short rounds' : 'rounds'}`
  return `${[...software, `PostgreSQL ${machine.postgresql}`].join(', ')}; ${place}; ${rounds} on ${takenOn}.`
}

const sectionOf = (row: Row): string => {
  const { comparison, result } = row
  const { name, file, measures, missedBecause } = comparison
  if (isShort(row) && missedBecause === null) throw new Error(`${name} misses its aim, and does not say why`)
  return [
    `### ${name}`,
    measures,
    `![${plotOf(row).title}](performance/${name}.svg)`,
    ...(isShort(row) ? [`Why it is short of its aim: ${missedBecause}`] : []),
    `[\`bench/comparisons/${file}\`](../bench/comparisons/${file}). ${machineText(result)}`,
  ].join('\n\n')
}

/** With a peer, ours in relation to it: rates of different rounds are no pair. */
const plotOf = ({ comparison, ours, ratio, judged }: Row): Plot => {
  const { name, unit, aim } = comparison
  const one = { median: 1, low: 1, high: 1 }
  const own = { label: comparison.ours, kind: 'ours' as const }
  const bars =
    ratio === null
      ? [{ ...own, spread: ours, text: figure(ours.median) }]
      : [
          { ...own, spread: ratio, text: `${figure(ratio.median)} × peer` },
          { label: comparison.peer ?? '', spread: one, text: '1', kind: 'peer' as const },
        ]
  const mark = aim._tag === 'none' ? null : aim._tag === 'ratio' ? aim.atLeast : aim.figure
  const { median, low, high } = judged
  return {
    title: ratio === null ? `${name}, ${unit}` : `${name}, ${unit}, in relation to ${comparison.peer}`,
    description: `Measured: ${figure(median)}, half of the rounds between ${figure(low)} and ${figure(high)}. Aim: ${aimText(aim)}.`,
    bars,
    mark: mark === null ? null : { value: mark, text: `aim ${figure(mark)}` },
    isLogarithmic: false,
  }
}

/** How many times its aim each figure is. */
const overviewOf = (rows: ReadonlyArray<Row>): Plot => {
  const bars = rows.flatMap(({ comparison: { name, aim }, judged }) => {
    const [median, ...ends] = [judged.median, judged.low, judged.high].map((value) => timesAim(aim, value))
    if (median === null || median === undefined) return []
    const [low = median, high = median] = ends.map((end) => end ?? median).toSorted((one, other) => one - other)
    const kind = median >= 1 ? ('met' as const) : ('missed' as const)
    return [{ label: name, spread: { median, low, high }, text: `${figure(median)} × aim`, kind }]
  })
  return {
    title: 'All aims',
    description: `How many times its aim each figure is. ${bars.map(({ label, text }) => `${label}: ${text}`).join('; ')}.`,
    bars,
    mark: { value: 1, text: 'aim' },
    isLogarithmic: true,
  }
}

/** The page and its plots, by their paths in `docs`, made of the committed results. */
export const performanceFiles = (): ReadonlyMap<string, string> => {
  const rows = comparisons.map(rowOf)
  const page = `# Performance, measured beside peers

This page shows how fast Quittance is beside what others would use, what it aims at, and where it falls short. \`npm run
bench -- report\` writes it from \`bench/results\`; nobody edits it by hand. [Growth](growth.md) has the rates of a log that
grows, [long runs](long-runs.md) an hour of steady work and a day of a large merchant.

\`npm run bench\` measures everything again, \`npm run bench -- <name>\` one comparison; \`--quick\` takes shorter rounds. Ours
and the peer's take turns in one run, after a round of each that is not counted. A figure is the median of its rounds. A
ratio is the median of the pairs' ratios of ours to the peer's, with the quartiles: half of the pairs lie between them.
Comparisons on PostgreSQL need its programs (\`apt-get install postgresql\`); \`commands-sqlite\` and \`fold\` need Emmett's
driver built (\`npm run install --prefix node_modules/sqlite3\`).

These runs had two cores of a machine that others use, too. Rates vary from run to run; a ratio says more, since both sides of a
pair suffered. Rates that are medians of their own do not divide into it.

| | unit | ours | peer | ratio | aim | result |
| --- | --- | ---: | ---: | ---: | ---: | --- |
${rows.map(lineOf).join('\n')}

![How many times its aim each figure is](performance/aims.svg)

Bars to the right of the line are better than their aim. The scale is logarithmic.

## Each comparison

In the plots, a bar is a median, in relation to the peer where there is one. The line across it goes from the first quartile
to the third, and the dashed line is the aim.

${rows.map(sectionOf).join('\n\n')}
`
  return new Map([
    ['performance.md', page],
    ['performance/aims.svg', svgOf(overviewOf(rows))],
    ...rows.map((row) => [`performance/${row.comparison.name}.svg`, svgOf(plotOf(row))] as const),
  ])
}

/** Writes this page, those of growth and of long runs, and their plots. */
export const writePages = (): void => {
  const docs = new URL('../../docs/', import.meta.url)
  for (const [path, text] of [...performanceFiles(), ...growthFiles(), ...longRunFiles()]) {
    const file = new URL(path, docs)
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, text)
  }
}
