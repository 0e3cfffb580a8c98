import { counted, grouped } from './printing.ts'
import type { Screen } from './screen.ts'

/** The number of events, or of `what`, that are done, out of all, and the number of compared rows. */
type Progress = {
  readonly model: string
  readonly done: number
  readonly all: number
  readonly comparedRows: number
  readonly what?: string
}

export type ProgressLines = {
  readonly show: (progress: Progress) => void
  /** Clears the line on a terminal; elsewhere writes the last line. */
  readonly end: () => void
}

const betweenLinesMs = { terminal: 100, elsewhere: 5_000 }

/** Reports on work that begins now: in one line on a terminal, elsewhere in a line every few seconds. */
export const progressLines = ({ isTerminal, write }: Screen, clockMs: () => number): ProgressLines => {
  const started = clockMs()
  const betweenMs = isTerminal ? betweenLinesMs.terminal : betweenLinesMs.elsewhere
  let lastAt = started
  let waiting: string | null = null
  return {
    show: (progress) => {
      const now = clockMs()
      waiting = progressLine(progress, now - started)
      if (now - lastAt < betweenMs) return
      write(isTerminal ? `\r${waiting}\u001b[K` : `${waiting}\n`)
      lastAt = now
      waiting = null
    },
    end: () => {
      if (isTerminal) write('\r\u001b[K')
      else if (waiting !== null) write(`${waiting}\n`)
    },
  }
}

/** Shows a person, on a terminal, how much of the log is read, where that is known, and what that gave. */
export const logLine = ({ isTerminal, write }: Screen, words: (count: number) => string) => {
  let [shown, waiting] = [-1, 0]
  return {
    show: (part: number | null, count: number): void => {
      const percent = part === null ? 0 : Math.floor(part * 100)
      if (!isTerminal || (percent === shown && ++waiting < shownEvery)) return
      ;[shown, waiting] = [percent, 0]
      write(`\rthe log: ${part === null ? '' : `${percent} %, `}${words(count)}\u001b[K`)
    },
    end: (): void => {
      if (isTerminal) write('\r\u001b[K')
    },
  }
}

const shownEvery = 1_000

/** Such as `payments: 51,200 of 204,000 events, 14,100/s, 11 s left, 12,000 rows compared`. */
export const progressLine = (
  { model, done, all, comparedRows, what = 'events' }: Progress,
  elapsedMs: number,
): string => {
  const perSecond = elapsedMs > 0 ? (done * 1_000) / elapsedMs : 0
  const parts = [
    `${grouped(done)} of ${grouped(all)} ${what}`,
    ...(perSecond > 0 ? [`${grouped(Math.round(perSecond))}/s`] : []),
    ...(perSecond > 0 && done < all ? [`${duration((all - done) / perSecond)} left`] : []),
    ...(comparedRows > 0 ? [`${counted(comparedRows, 'row')} compared`] : []),
  ]
  return `${model}: ${parts.join(', ')}`
}

const duration = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}
