import { useId } from 'preact/hooks'
import { words } from '../messages/index.ts'

type Bar = { readonly label: string; readonly value: number; readonly text: string }

const [width, height] = [720, 160]

/** Bars over time. The same numbers stand in a table for those who do not see them. */
export const BarChart = ({ title, bars }: { readonly title: string; readonly bars: ReadonlyArray<Bar> }) => {
  const caption = useId()
  const highest = Math.max(...bars.map(({ value }) => value), 0)
  const step = width / Math.max(bars.length, 1)
  return (
    <figure class="chart card">
      <figcaption id={caption}>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={caption} preserveAspectRatio="none">
        <title>{title}</title>
        {bars.map(({ label, value, text }, index) => {
          const tall = highest === 0 ? 0 : (value / highest) * (height - 4)
          return (
            <rect
              key={label}
              class="bar"
              x={index * step + step * 0.15}
              y={height - Math.max(tall, 1)}
              width={step * 0.7}
              height={Math.max(tall, 1)}
              rx={2}
            >
              <title>{`${label}: ${text}`}</title>
            </rect>
          )
        })}
      </svg>
      <div class="chart-ends quiet" aria-hidden="true">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <details>
        <summary>{words.value.actions.asTable}</summary>
        <table>
          <tbody>
            {bars.map(({ label, text }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td class="number">{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
