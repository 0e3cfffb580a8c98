import type { Spread } from './statistics.ts'

/** A bar of a plot. `kind` chooses its colour. */
export type Bar = { readonly label: string; readonly spread: Spread; readonly text: string; readonly kind: Kind }
type Kind = 'ours' | 'peer' | 'met' | 'missed'

/** What a plot is about. `mark`: a line across all bars, such as an aim. */
export type Plot = {
  readonly title: string
  readonly description: string
  readonly bars: ReadonlyArray<Bar>
  readonly mark: { readonly value: number; readonly text: string } | null
  /** On a logarithmic scale, bars begin at the mark. */
  readonly isLogarithmic: boolean
}

const [width, labelWidth, textWidth, barHeight, gap] = [720, 210, 110, 18, 12]
const [left, right] = [labelWidth, width - textWidth]

const style = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .ours, .met { fill: #5cb89d } .peer { fill: #a8b0bb } .missed { fill: #e08a72 }
  .spread { stroke: #24292f; stroke-width: 1.5 } .mark { stroke: #24292f; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .spread, .mark { stroke: #e6edf3 }
    .ours, .met { fill: #2f8570 } .peer { fill: #5b6572 } .missed { fill: #b4553d }
  }`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')

const rounded = (value: number): string => String(Math.round(value * 10) / 10)

/** Where a value is on the horizontal axis. */
const scaleOf = ({ bars, mark, isLogarithmic }: Plot): ((value: number) => number) => {
  const values = [...bars.flatMap(({ spread }) => [spread.low, spread.high]), ...(mark === null ? [] : [mark.value])]
  const place = isLogarithmic ? Math.log : (value: number) => value
  const [least, most] = [isLogarithmic ? place(Math.min(...values)) : 0, place(Math.max(...values))]
  return (value) => left + ((place(value) - least) / (most - least)) * (right - left)
}

/** Horizontal bars of medians, each with a line from the first quartile to the third. Readable on light and dark pages. */
export const svgOf = (plot: Plot): string => {
  const { title, description, bars, mark, isLogarithmic } = plot
  const x = scaleOf(plot)
  const top = mark === null ? gap : 24 + gap
  const height = top + bars.length * (barHeight + gap)
  const begin = isLogarithmic && mark !== null ? x(mark.value) : left
  const rows = bars.flatMap(({ label, spread, text, kind }, index) => {
    const [y, end] = [top + index * (barHeight + gap), x(spread.median)]
    const [middle, from, to] = [y + barHeight / 2, rounded(x(spread.low)), rounded(x(spread.high))]
    const across = `M${from} ${middle}H${to}M${from} ${middle - 4}v8M${to} ${middle - 4}v8`
    return [
      `<text x="${left - 10}" y="${y + 13}" text-anchor="end">${escaped(label)}</text>`,
      `<rect class="${kind}" x="${rounded(Math.min(begin, end))}" y="${y}" width="${rounded(Math.abs(end - begin))}" height="${barHeight}" rx="2"/>`,
      ...(spread.low === spread.high ? [] : [`<path class="spread" d="${across}"/>`]),
      `<text x="${right + 12}" y="${y + 13}">${escaped(text)}</text>`,
    ]
  })
  const line =
    mark === null
      ? []
      : [
          `<path class="mark" d="M${rounded(x(mark.value))} 20V${height}"/>`,
          `<text x="${rounded(x(mark.value))}" y="14" text-anchor="middle">${escaped(mark.text)}</text>`,
        ]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(description)}</desc>
<style>${style}
</style>
${[...rows, ...line].join('\n')}
</svg>
`
}
