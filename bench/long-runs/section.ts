import type { LinePlot } from '../comparing/plot-lines.ts'
import type { Soak } from './results.ts'

/** A part of the page with its plots, by their names. */
export type Section = { readonly text: string; readonly plots: Readonly<Record<string, LinePlot>> }

export const notCompared = 'nothing was compared: the run was ended before.'

export const figure = (value: number): string =>
  value.toLocaleString('en', Math.abs(value) < 1_000 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 })

export const softwareOf = ({ node, sqlite, cores, processor }: Soak['machine']): string =>
  `Node ${node.slice(1)}, SQLite ${sqlite}; ${cores} cores (${processor})`

/** Lines over what was measured at each `x`; a line has no point where it has no value. */
export const plotOf = <A>(
  title: string,
  x: { readonly title: string; readonly of: (measured: A) => number },
  all: ReadonlyArray<A>,
  lines: Readonly<Record<string, (measured: A, index: number) => number | undefined>>,
): LinePlot => {
  const series = Object.entries(lines).map(([name, read]) => ({
    name,
    points: all.flatMap((each, index) => {
      const y = read(each, index)
      return y === undefined ? [] : [{ x: x.of(each), y }]
    }),
  }))
  const lasts = series.map(({ name, points }) => `${name}: ${figure(points.at(-1)?.y ?? Number.NaN)}`)
  return {
    title,
    description: `At the end, ${lasts.join('; ')}.`,
    x: { title: x.title, isLogarithmic: false },
    y: { title },
    mark: null,
    series,
  }
}
