/** A line of a plot. Points are in order of `x`. */
export type Series = { readonly name: string; readonly points: ReadonlyArray<Point> }
type Point = { readonly x: number; readonly y: number }

/** Axis titles name their unit, such as `memory, MB`. `mark`: a dashed line at a value of y, such as an aim. */
export type LinePlot = {
  readonly title: string
  readonly description: string
  readonly x: { readonly title: string; readonly isLogarithmic: boolean }
  readonly y: { readonly title: string }
  readonly mark: { readonly value: number; readonly text: string } | null
  readonly series: ReadonlyArray<Series>
}

const [width, height, left, right, top, bottom] = [720, 340, 70, 510, 34, 290]
const [lineHeight, hues] = [20, 8]

const style = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .tick { font-size: 11px } .grid { stroke: #d0d7de } .mark { stroke: #24292f; stroke-dasharray: 4 3 }
  .line { fill: none; stroke: var(--hue); stroke-width: 2 } .point { fill: var(--hue) }
  .hue0 { --hue: #2f9c7c } .hue1 { --hue: #d0694c } .hue2 { --hue: #4a83c4 } .hue3 { --hue: #a9852a }
  .hue4 { --hue: #8e66b0 } .hue5 { --hue: #7d8794 } .hue6 { --hue: #c2588c } .hue7 { --hue: #5b8f29 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .grid { stroke: #3d444d } .mark { stroke: #e6edf3 }
    .hue0 { --hue: #5cb89d } .hue1 { --hue: #e08a72 } .hue2 { --hue: #79aee8 } .hue3 { --hue: #d3b25a }
    .hue4 { --hue: #b996d6 } .hue5 { --hue: #a8b0bb } .hue6 { --hue: #e08ab4 } .hue7 { --hue: #93c45f }
  }`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '')

const rounded = (value: number): string => String(Math.round(value * 10) / 10)

/** Multiples of 1, 2 or 5 times a power of ten, at most six, from 0 to at least `most`. */
const evenTicks = (most: number): ReadonlyArray<number> => {
  const power = 10 ** Math.floor(Math.log10(most / 5))
  const factor = [1, 2, 5, 10].find((each) => each * power * 5 >= most) ?? 10
  return Array.from(
    { length: Math.ceil(most / (factor * power)) + 1 },
    (_, index) => (index * factor * 10 ** 6 * power) / 10 ** 6,
  )
}

const powersOfTen = (least: number, most: number): ReadonlyArray<number> => {
  const [first, last] = [Math.ceil(Math.log10(least)), Math.floor(Math.log10(most))]
  return Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
}

/** Lines through points, over a vertical axis from zero. Readable on light and dark pages. */
export const linesSvgOf = ({ title, description, x, y, mark, series }: LinePlot): string => {
  const points = series.flatMap((each) => each.points)
  const xs = points.map((point) => point.x)
  const [least, most] = x.isLogarithmic ? [Math.min(...xs), Math.max(...xs)] : [0, Math.max(...xs)]
  const xTicks = x.isLogarithmic ? powersOfTen(least, most) : evenTicks(most).filter((tick) => tick <= most)
  const yTicks = evenTicks(Math.max(...points.map((point) => point.y), mark?.value ?? 0))
  const highest = Math.max(...yTicks)

  const place = x.isLogarithmic ? Math.log : (value: number) => value
  const across = (value: number) =>
    rounded(left + ((place(value) - place(least)) / (place(most) - place(least))) * (right - left))
  const up = (value: number) => rounded(bottom - (value / highest) * (bottom - top))

  const grid = yTicks.flatMap((tick) => [
    `<path class="grid" d="M${left} ${up(tick)}H${right}"/>`,
    `<text class="tick" x="${left - 8}" y="${up(tick)}" dy="4" text-anchor="end">${tick.toLocaleString('en-US')}</text>`,
  ])
  const feet = xTicks.map(
    (tick) =>
      `<text class="tick" x="${across(tick)}" y="${bottom + 18}" text-anchor="middle">${tick.toLocaleString('en-US')}</text>`,
  )
  const axes = [
    `<text x="${left}" y="16">${escaped(y.title)}</text>`,
    `<text x="${right}" y="${height - 10}" text-anchor="end">${escaped(x.title)}</text>`,
  ]
  const line =
    mark === null
      ? []
      : [
          `<path class="mark" d="M${left} ${up(mark.value)}H${right}"/>`,
          `<text class="tick" x="${right}" y="${up(mark.value)}" dy="-4" text-anchor="end">${escaped(mark.text)}</text>`,
        ]
  const lines = series.map(
    (each, index) => `<g class="hue${index % hues}">
<path class="line" d="M${each.points.map((point) => `${across(point.x)} ${up(point.y)}`).join('L')}"/>
${each.points.map((point) => `<circle class="point" cx="${across(point.x)}" cy="${up(point.y)}" r="3"/>`).join('\n')}
<path class="line" d="M${right + 16} ${top + index * lineHeight}h18"/>
<text x="${right + 40}" y="${top + index * lineHeight}" dy="4">${escaped(each.name)}</text>
</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
<title id="title">${escaped(title)}</title>
<desc id="desc">${escaped(description)}</desc>
<style>${style}
</style>
${[...grid, ...feet, ...axes, ...line, ...lines].join('\n')}
</svg>
`
}
