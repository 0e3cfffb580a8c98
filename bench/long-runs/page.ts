import { linesSvgOf } from '../comparing/plot-lines.ts'
import { aboutDays, daySection } from './day-section.ts'
import { readDays, readSoak } from './results.ts'
import { soakSection } from './soak-section.ts'

/** The page and its plots, by their paths in `docs`, made of the committed results. */
export const longRunFiles = (): ReadonlyMap<string, string> => {
  const soak = soakSection(readSoak())
  const days = readDays().map(daySection)
  const page = `# Long runs

This page shows what a service does that works for long, and with many subscriptions: whether its memory and files grow, and whether everything
happens once. \`npm run bench -- report\` writes it from \`bench/results/long-runs\`; nobody edits it by hand. [Performance](performance.md) has rates
beside peers, [scale](scale.md) what more subscriptions need.

${[soak.text, aboutDays, ...days.map(({ text }) => text)].join('\n\n')}
`
  const plots = [soak, ...days].flatMap((each) => Object.entries(each.plots))
  return new Map([
    ['long-runs.md', page],
    ...plots.map(([name, plot]) => [`long-runs/${name}.svg`, linesSvgOf(plot)] as const),
  ])
}
